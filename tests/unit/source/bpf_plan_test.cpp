#include "source/bpf_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace oomen::source {
namespace {

constexpr uint64_t kSysAdmin = 1ull << 21, kSysResource = 1ull << 24, kPerfmon = 1ull << 38,
                   kBpf = 1ull << 39;

// A kernel that has all of it.
KernelFacts everything() {
  KernelFacts facts;
  for (const Rung& rung : rungs())
    for (const BpfProgram& program : rung.programs) {
      if (program.kind == Target::kFunction) facts.functions.emplace(program.target);
      if (program.kind == Target::kTracepoint) facts.tracepoints.emplace(program.target);
    }
  facts.major = 6;
  facts.capabilities = kBpf | kPerfmon;
  return facts;
}

HookPlan plan_of(std::string_view hook, const KernelFacts& facts, const Refusals& refused = {},
                 const PlanOptions& options = {}) {
  for (HookPlan& plan : plan_hooks(facts, refused, options))
    if (plan.hook == hook) return plan;
  ADD_FAILURE() << "no plan for " << hook;
  return {};
}

std::vector<std::string> to_be_tried(const HookPlan& plan) {
  std::vector<std::string> names;
  for (const Candidate& candidate : plan.ladder)
    if (candidate.objection.empty()) names.emplace_back(candidate.rung->name);
  return names;
}

std::string objection_to(std::string_view rung, const HookPlan& plan) {
  for (const Candidate& candidate : plan.ladder)
    if (candidate.rung->name == rung) return candidate.objection;
  return "not in the plan";
}

using Names = std::vector<std::string>;

TEST(BpfPlan, TheLadderIsTriedFromTheBestRungDown) {
  EXPECT_EQ(to_be_tried(plan_of("growth", everything())),
            (Names{"fexit", "vm_unmapped_area", "kprobe", "iter"}));
}

TEST(BpfPlan, SyscallTracepointsOnlyByOption) {
  EXPECT_NE(objection_to("syscalls", plan_of("growth", everything())).find("only by option"),
            std::string::npos);
  EXPECT_EQ(to_be_tried(plan_of("growth", everything(), {}, {true, ""})),
            (Names{"fexit", "vm_unmapped_area", "kprobe", "syscalls", "iter"}));
}

TEST(BpfPlan, ARungAskedForStandsAlone) {
  for (std::string rung : {"fexit", "vm_unmapped_area", "kprobe", "syscalls", "iter"})
    EXPECT_EQ(to_be_tried(plan_of("growth", everything(), {}, {false, rung})), Names{rung});
  EXPECT_EQ(to_be_tried(plan_of("tasks", everything(), {}, {false, "fexit"})), Names{"iter"})
      << "the others stay as they are";
}

TEST(BpfPlan, AnAbsentTargetCostsItsRungAndIsNamed) {
  KernelFacts facts = everything();
  facts.functions.erase("__vm_munmap");
  HookPlan plan = plan_of("growth", facts);
  EXPECT_EQ(to_be_tried(plan), (Names{"vm_unmapped_area", "iter"}));
  EXPECT_EQ(objection_to("fexit", plan), "__vm_munmap is not in this kernel");
  facts.tracepoints.erase("cgroup_rmdir");
  EXPECT_TRUE(to_be_tried(plan_of("cgroup", facts)).empty());
  EXPECT_EQ(to_be_tried(plan_of("exec", facts)), Names{"tp_btf"});
}

TEST(BpfPlan, ARefusedProgramCostsItsRungAlone) {
  Refusals refused = {{"on_brk_fexit", "does not load"}, {"on_mark_victim", "bad access"}};
  EXPECT_EQ(objection_to("fexit", plan_of("growth", everything(), refused)), "does not load");
  EXPECT_EQ(objection_to("tp_btf", plan_of("mark_victim", everything(), refused)), "bad access");
  EXPECT_EQ(to_be_tried(plan_of("signal", everything(), refused)), Names{"tp_btf"});
}

TEST(BpfPlan, WithoutBaselinesThereIsNoGrowth) {
  EXPECT_TRUE(to_be_tried(plan_of("growth", everything(), {{"on_growth_exec", "no"}})).empty());
}

TEST(BpfPlan, EveryHookSaysWhyItIsOff) {
  auto hooks = hooks_without("switched off");
  Names names;
  for (const model::Hook& hook : hooks) {
    names.push_back(hook.name);
    EXPECT_FALSE(hook.attached);
    EXPECT_EQ(hook.rung, "none");
    EXPECT_EQ(hook.reason, "switched off");
  }
  EXPECT_EQ(names,
            (Names{"growth", "mark_victim", "process_exit", "signal", "cgroup", "exec", "tasks"}));
}

// As libbpf 1.1 says it.
constexpr std::string_view kVerifierLog =
    R"(libbpf: prog 'on_task': BPF program load failed: Permission denied
libbpf: prog 'on_task': -- BEGIN PROG LOAD LOG --
0: R1=ctx(off=0,imm=0) R10=fp0
7: (85) call bpf_seq_write#127
R2 type=inv expected=fp
processed 8 insns (limit 1000000) max_states_per_insn 0
-- END PROG LOAD LOG --
libbpf: prog 'on_task': failed to load: -13
libbpf: failed to load object 'oomen_bpf'
)";

TEST(BpfPlan, FindsTheProgramThatFailedAndWhy) {
  EXPECT_EQ(failed_program(kVerifierLog), "on_task");
  EXPECT_EQ(failure_detail(kVerifierLog), "R2 type=inv expected=fp");
}

TEST(BpfPlan, AFailureOfNoProgram) {
  std::string_view log = "libbpf: map 'events': failed to create: Operation not permitted(-1)\n";
  EXPECT_FALSE(failed_program(log));
  EXPECT_FALSE(failed_program("libbpf: prog 'on_exec': half a li"));
  EXPECT_EQ(failure_detail(log), "");
  EXPECT_EQ(failure_detail("-- BEGIN PROG LOAD LOG --"), "");
}

TEST(BpfPlan, NamesTheLikelyCause) {
  struct Case {
    const char* what;
    int error;
    uint64_t capabilities;
    int major, minor;
    bool seccomp;
    std::optional<int> paranoid;
    bool by_perf_event;
    const char* says;
  };
  const uint64_t both = kBpf | kPerfmon;
  const Case cases[] = {
      {"not a matter of rights", ENOENT, 0, 6, 1, false, 2, false, ""},
      {"no CAP_BPF", EPERM, kPerfmon, 6, 1, true, 2, false, "needs CAP_BPF"},
      {"no CAP_PERFMON", EACCES, kBpf, 6, 1, false, 2, false, "needs CAP_PERFMON"},
      {"SYS_ADMIN is both", EPERM, kSysAdmin, 6, 1, false, 4, true, ""},
      {"paranoid 3", EACCES, both, 6, 1, false, 3, true, "perf_event_paranoid is 3"},
      {"paranoid 3 is nothing to tp_btf", EPERM, both, 6, 1, false, 3, false, ""},
      {"memlock", EPERM, both, 5, 10, true, 2, false, "RLIMIT_MEMLOCK"},
      {"memlock with the right", EPERM, both | kSysResource, 5, 10, true, 2, false, "seccomp"},
      {"no memlock from 5.11 on", EPERM, both, 5, 11, true, 2, false, "seccomp"},
      {"nothing stands out", EPERM, both, 6, 1, false, std::nullopt, true, ""},
  };
  for (const Case& one : cases) {
    KernelFacts facts;
    facts.capabilities = one.capabilities;
    facts.major = one.major;
    facts.minor = one.minor;
    facts.seccomp_filtered = one.seccomp;
    facts.perf_event_paranoid = one.paranoid;
    std::string said = likely_cause(one.error, facts, one.by_perf_event);
    std::string_view expected = one.says;
    if (expected.empty())
      EXPECT_EQ(said, "") << one.what;
    else
      EXPECT_NE(said.find(expected), std::string::npos) << one.what << ": " << said;
  }
}

}  // namespace
}  // namespace oomen::source
