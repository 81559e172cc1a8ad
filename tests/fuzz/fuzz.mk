##@ Fuzz
# One libFuzzer program a target. Each names the sources it needs in its first line.
FUZZ_TARGETS := $(basename $(notdir $(wildcard tests/fuzz/*.cpp)))
FUZZ_FLAGS = -std=c++20 -O1 -g -Iuserspace -Ibpf -DOOMEN_FUZZING -MMD -MP -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FUZZ_CORPUS ?= $(BUILD)/fuzz/corpus
SECONDS_EACH ?= 10

fuzz_objects = $(patsubst %,$(BUILD)/fuzz/obj/%.o,$(shell sed -n 's|^// fuzz-sources: ||p' tests/fuzz/$(1).cpp))
define fuzz_program
$(BUILD)/fuzz/$(1): $(BUILD)/fuzz/target/$(1).o $(call fuzz_objects,$(1))
	clang++ -fsanitize=fuzzer,address,undefined -o $$@ $$^ -lyaml-cpp
endef
$(foreach target,$(FUZZ_TARGETS),$(eval $(call fuzz_program,$(target))))

$(BUILD)/fuzz/target/%.o: tests/fuzz/%.cpp tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang++ $(FUZZ_FLAGS) -c -o $@ $<
$(BUILD)/fuzz/obj/%.o: userspace/%.cpp tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang++ $(FUZZ_FLAGS) -c -o $@ $<
.PRECIOUS: $(BUILD)/fuzz/target/%.o $(BUILD)/fuzz/obj/%.o

fuzz: ## fuzz every text parser; SECONDS_EACH=10
	@tests/setup.sh fuzz
	@$(MAKE) --no-print-directory $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
	@tests/fuzz/run.py $(BUILD)/fuzz $(FUZZ_CORPUS) $(SECONDS_EACH) $(FUZZ_TARGETS)
.PHONY: fuzz
