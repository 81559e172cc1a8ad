# GNU make is the only build driver. `make help` lists the targets.
.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
JOBS ?= $(shell nproc)
# Everything made goes here; SAN=address,undefined builds into a folder of its own.
BUILD ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,
VERSION := $(shell cat VERSION)

CXX ?= g++
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool) bpftool)
PACKAGES := libbpf libcgroup prometheus-cpp-core spdlog yaml-cpp
CXXFLAGS ?= -O2 -g
CXX_ALL = -std=c++20 $(CXXFLAGS) -Wall -Wextra -Wno-missing-field-initializers -Werror -pthread -MMD -MP -Iuserspace -Ibpf -isystem $(BUILD)/bpf \
  -DOOMEN_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PACKAGES)) $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LIBS = $(shell pkg-config --libs $(PACKAGES)) -lcivetweb -pthread -ldl $(if $(SAN),-fsanitize=$(SAN))
ARCH := $(shell uname -m | sed 's/x86_64/x86/;s/aarch64/arm64/')
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v2 -D__TARGET_ARCH_$(ARCH) -Wall -Werror -I/usr/include/$(shell uname -m)-linux-gnu

SOURCES := $(wildcard userspace/*/*.cpp)
LIB_OBJECTS := $(patsubst userspace/%.cpp,$(BUILD)/obj/%.o,$(filter-out userspace/app/main.cpp,$(SOURCES)))
BPF_OBJECTS := $(patsubst bpf/%.bpf.c,$(BUILD)/bpf/%.bpf.o,$(wildcard bpf/*.bpf.c))
# The seeds of the fuzz targets run in the unit tests.
UNIT_SOURCES := $(shell find tests/unit tests/fuzz -name '*.cpp')
UNIT_OBJECTS := $(patsubst tests/%.cpp,$(BUILD)/tests/%.o,$(UNIT_SOURCES))
TRUTH_OBJECTS := $(patsubst tests/truth/%.cpp,$(BUILD)/truth/%.o,$(wildcard tests/truth/*.cpp))
PROGRAMS := $(patsubst tests/programs/%.c,$(BUILD)/programs/%,$(wildcard tests/programs/*.c))

##@ Build
all: $(BUILD)/oomen ## build/oomen (the default)

$(BUILD)/oomen: $(BUILD)/obj/app/main.o $(BUILD)/liboomen.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/liboomen.a: $(LIB_OBJECTS)
	rm -f $@ && ar rcs $@ $^

# Not order-only: the skeleton is included as a system header, which -MMD leaves out.
$(BUILD)/obj/source/bpf_programs.o: $(BUILD)/bpf/oomen.skel.h
$(BUILD)/obj/%.o: userspace/%.cpp Makefile VERSION
	@mkdir -p $(@D)
	$(CXX) $(CXX_ALL) -c -o $@ $<

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c Makefile
	@mkdir -p $(@D)
	$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -c -o $@ $<

$(BUILD)/bpf/oomen.bpf.o: $(filter-out $(BUILD)/bpf/oomen.bpf.o,$(BPF_OBJECTS))
	$(BPFTOOL) gen object $@ $^

$(BUILD)/bpf/oomen.skel.h: $(BUILD)/bpf/oomen.bpf.o
	$(BPFTOOL) gen skeleton $< name oomen_bpf > $@

programs: $(PROGRAMS) ## the small programs of known behaviour that tests and the demo run
$(BUILD)/programs/%: tests/programs/%.c Makefile
	@mkdir -p $(@D)
	$(CC) -O1 -g -static -pthread -Wall -Wextra -Werror -o $@ $< -lm

# By a file: the flags hold quotes of their own.
compile_commands.json: Makefile $(SOURCES) $(UNIT_SOURCES) ## for clangd and clang-tidy
	@mkdir -p $(BUILD)
	$(file >$(BUILD)/flags,$(CXX) $(CXX_ALL))@python3 tests/lint/compile_commands.py $(BUILD)/flags $(SOURCES) $(UNIT_SOURCES) >$@

##@ Prepare
setup: ## install what is missing (Debian 12 packages), as root
	tests/setup.sh build

clean: ## remove everything made
	rm -rf build build-* results compile_commands.json

format: ## put every source into the project's format
	@tests/lint/lint.py --format

##@ Test
test: ## everything below, in order; SUITES="lint unit" some of it
	@tests/setup.sh test vm lint
	@tests/run.py $(SUITES)
test-all: test tidy fuzz backtest ## and what is too slow for each change: clang-tidy, fuzzing, the backtest
$(BUILD)/unit_tests: $(UNIT_OBJECTS) $(BUILD)/liboomen.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LIBS) -lgmock -lgtest -lgtest_main
$(BUILD)/tests/%.o: tests/%.cpp Makefile
	@mkdir -p $(@D)
	$(CXX) $(CXX_ALL) -c -o $@ $<
unit: $(BUILD)/unit_tests ## unit tests alone; FILTER=Config* some of them, SAN=address,undefined with sanitizers
	@tests/gtest.py $(BUILD)/unit_tests $(if $(FILTER),--gtest_filter='$(FILTER)')
# Apart from the unit tests: these want BPF, cgroups and root, and run in the VMs' initramfs too.
$(BUILD)/truth_tests: $(TRUTH_OBJECTS) $(BUILD)/liboomen.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LIBS) -lgtest -lgtest_main
$(BUILD)/truth/%.o: tests/truth/%.cpp Makefile
	@mkdir -p $(@D)
	$(CXX) $(CXX_ALL) -c -o $@ $<
truth: $(BUILD)/truth_tests $(BUILD)/programs/vmops ## the kernel side against what really happened, on this kernel, as root
	@tests/gtest.py $(BUILD)/truth_tests
KERNELS ?= 5.10 6.1 6.12 sid
test-vm: ## real Debian kernels in qemu: growth rungs, classes, kills, the main job; KERNELS="5.10 6.1 6.12 sid"
	@tests/setup.sh vm
	@$(MAKE) --no-print-directory $(BUILD)/oomen $(BUILD)/truth_tests programs
	@python3 tests/vm/run.py --build $(BUILD) $(KERNELS)
rules-test: ## the alert rules of deploy/ by promtool
	@tests/setup.sh test
	@tests/rules/run.py
test-prometheus: ## real leak, real Prometheus and Alertmanager: the alert is at a webhook before the kill
	@tests/setup.sh test
	@$(MAKE) --no-print-directory $(BUILD)/oomen $(BUILD)/programs/leaky
	@python3 tests/e2e/prometheus_test.py $(BUILD)/oomen $(BUILD)/programs/leaky
test-agent: all programs ## the agent and run as processes: bad input, crowds, churn, few rights, no BPF
	@python3 tests/e2e/agent_test.py $(BUILD)/oomen $(BUILD)/programs
docs/metrics.md: userspace/sink/metric_table.cpp userspace/sink/metric_documentation.cpp ## from the table of metrics
	@$(MAKE) --no-print-directory $(BUILD)/unit_tests
	@OOMEN_WRITE_DOCS=1 $(BUILD)/unit_tests --gtest_brief=1 --gtest_filter='MetricDocumentation.*'
lint: ## layers, formatting, file lengths: seconds
	@tests/lint/lint.py
tidy: $(SOURCES:%=$(BUILD)/tidy/%.ok) ## clang-tidy on every source that changed since it was last right
$(BUILD)/tidy/%.ok: % .clang-tidy | compile_commands.json $(BUILD)/bpf/oomen.skel.h
	@mkdir -p $(@D)
	clang-tidy-19 --quiet -p . $< && touch $@

demo: ## the main job, live: a container leaks to its real Exit 137, the alert comes before
	@tests/setup.sh demo
	@$(MAKE) -j$(JOBS) --no-print-directory all $(BUILD)/programs/leaky
	@python3 tests/demo/demo.py $(BUILD)/oomen $(BUILD)/programs/leaky

include tests/fuzz/fuzz.mk

##@ Measure
bench: all programs ## what it costs others and itself, and how quick it is, paired, with the spread beside
	@python3 tests/bench/bench.py $(BUILD)/oomen $(BUILD)/programs

backtest: $(BUILD)/oomen ## the engine over ../shared/corpus at four offsets of its grid, beside what is asked
	@python3 tests/backtest/backtest.py $(BUILD)/oomen
bench-engine: $(BUILD)/engine_speed ## readings a second, cost of an assessment, bytes of state
	@$(BUILD)/engine_speed
$(BUILD)/engine_speed: $(BUILD)/tests/backtest/speed.o $(BUILD)/liboomen.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/forecast_windows: $(BUILD)/tests/backtest/candidates.o $(BUILD)/liboomen.a
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LIBS)
fit: $(BUILD)/forecast_windows ## learn the forecast's weights anew from ../shared/corpus (minutes)
	@tests/setup.sh fit
	@/usr/bin/python3 tests/backtest/fit.py $< ../shared/corpus --write userspace/engine/reliability_weights.cpp | tee tests/backtest/fit.txt

##@ About
help: ## this list
	@awk 'BEGIN{FS=":.*## "} /^##@/{printf "\n%s\n",substr($$0,5)} /^[a-zA-Z_.\/-]+:.*## /{printf "  %-24s %s\n",$$1,$$2}' Makefile tests/fuzz/fuzz.mk

.PHONY: all programs setup clean format test test-all unit truth test-vm rules-test test-prometheus test-agent lint tidy demo bench help backtest bench-engine fit
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
