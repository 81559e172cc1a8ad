// Two clocks: one that orders and measures (boot time, never jumps, goes on in suspend; also BPF's
// ktime_get_boot_ns), one that people read (wall time, may jump, never used for arithmetic).
#pragma once
#include <cstdint>
#include <string>

namespace oomen::base {

uint64_t boottime_ns();
uint64_t walltime_ns();
// RFC 3339 in UTC with milliseconds: 2026-11-30T22:34:24.556Z
std::string rfc3339_utc(uint64_t walltime_ns);
inline double seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace oomen::base
