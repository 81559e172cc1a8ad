// The texts of a memory cgroup's files, one pure function each. Unknown keys are passed over:
// kernels add them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/sample.h"

namespace oomen::source {

// memory.stat of cgroup v2: "anon 1234\nfile 5678\n...", bytes.
model::MemoryClasses parse_memory_stat_v2(std::string_view text);
// memory.stat of cgroup v1: the hierarchical total_* lines. What v1 does not tell stays absent.
model::MemoryClasses parse_memory_stat_v1(std::string_view text);
// "max\n" and v1's "9223372036854771712" (no limit) -> nothing; else bytes.
std::optional<uint64_t> parse_limit(std::string_view text);

// memory.events or memory.events.local of v2; of v1's memory.oom_control only `oom_kill` is there.
struct MemoryEvents {
  uint64_t high = 0;
  uint64_t max = 0;
  uint64_t oom = 0;
  uint64_t oom_kill = 0;
  uint64_t oom_group_kill = 0;
};
MemoryEvents parse_memory_events(std::string_view text);

// memory.pressure: avg10 of the "full" line in percent; nothing where the line is missing.
std::optional<double> parse_pressure_full_avg10(std::string_view text);

// /proc/PID/cgroup -> path of its memory cgroup ("4:memory:/a" on v1, "0::/a" on v2 when no v1 line
// names memory).
std::optional<std::string> memory_cgroup_of(std::string_view proc_cgroup);

}  // namespace oomen::source
