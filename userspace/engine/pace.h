// How often a container's memory classes are read. Usage of each is read every second; classes cost
// more (the kernel flushes its counters and prints a page of text), so they are read where they
// could matter. Pure.
#pragma once
#include <cstdint>
#include <optional>

namespace oomen::engine {

inline constexpr double kYoungAge_s = 20 * 60;
inline constexpr double kSlowPace_s = 10;
inline constexpr double kFastPace_s = 1;
inline constexpr double kNearCeiling_ratio = 0.8;

struct PaceFacts {
  std::optional<double> age_s;  // absent: born before the agent watched
  bool suspect =
      false;  // anything but steady, warming or unknown is said of it, or an alert stands
  std::optional<double> filled_ratio;  // unreclaimable of the nearest ceiling
  std::optional<double>
      usage_jump_ratio;  // change of usage since classes were read, as a share of the headroom then
};

double class_pace_s(const PaceFacts& facts);

}  // namespace oomen::engine
