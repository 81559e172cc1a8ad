// Sizes and durations as people write and read them. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oomen::base {

// "512Mi", "1.5GiB", "96M", "1048576", "64k" -> bytes. Kubernetes' suffixes and their B forms; k/K
// is 1000, Ki 1024. Negative, empty, not finite or above 2^63 is bad input.
Result<uint64_t> parse_bytes(std::string_view text);
// "15m", "72h", "1h30m", "250ms", "2d", "90" (seconds) -> seconds, not negative.
Result<double> parse_duration_s(std::string_view text);

std::string format_bytes(double bytes);       // "93.4 MiB"; keeps the sign
std::string format_duration(double seconds);  // "45 s", "12 min", "3.2 h", "4.1 d"
std::string format_rate(
    double bytes_per_s);  // "1.0 MiB/s", "35 MiB/h": the unit under which the number is readable

}  // namespace oomen::base
