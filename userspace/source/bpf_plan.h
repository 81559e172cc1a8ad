// Which BPF programs hang on what, and which of them to try on a kernel with given facts. Pure:
// facts → plan; loading and attaching is the effect, and its refusals come back as facts.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace oomen::source {

struct KernelFacts {
  std::string btf_error;            // "" the kernel's BTF is readable
  std::set<std::string> functions;  // those of the programs' targets that this kernel has
  std::set<std::string> tracepoints;
  bool victim_is_task = false;  // what mark_victim hands over
  int major = 0, minor = 0;     // of the kernel's release
  uint64_t capabilities = 0;    // effective, a bit each
  bool seccomp_filtered = false;
  std::optional<int> perf_event_paranoid;
};

enum class Target { kFunction, kTracepoint, kIterator, kClassicTracepoint };

struct BpfProgram {
  std::string_view name;  // as in bpf/
  Target kind;
  std::string_view target;
};

// One way to serve a hook: all its programs, or it is not taken.
struct Rung {
  std::string_view hook;
  std::string_view name;
  std::vector<BpfProgram> programs;
  bool only_by_option = false;
  bool by_perf_event = false;  // attaches through perf_event_open
};

// Every hook's rungs, the best first.
std::span<const Rung> rungs();
// The hooks' names, in the order of `rungs()`.
std::vector<std::string_view> hook_names();

struct PlanOptions {
  bool syscall_tracepoints = false;
  std::string only_growth_rung;
};

struct Candidate {
  const Rung* rung;
  std::string objection;  // "" it is worth a try
};

struct HookPlan {
  std::string_view hook;
  std::vector<Candidate> ladder;  // the best rung first; of growth all, or the one asked for
};

using Refusals = std::map<std::string, std::string, std::less<>>;  // program → why it did not load

std::vector<HookPlan> plan_hooks(const KernelFacts& facts, const Refusals& refused,
                                 const PlanOptions& options);

// Every hook off, for one reason.
std::vector<model::Hook> hooks_without(const std::string& reason);

// What libbpf's messages of a failed load say: the program that failed.
std::optional<std::string> failed_program(std::string_view log);
// The verifier's or kernel's own last word in these messages, one line.
std::string failure_detail(std::string_view log);

// The likely reason of an error of bpf(2) or perf_event_open(2), "" when none stands out.
std::string likely_cause(int error, const KernelFacts& facts, bool by_perf_event);

}  // namespace oomen::source
