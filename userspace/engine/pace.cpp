#include "engine/pace.h"

#include <cmath>

namespace oomen::engine {

double class_pace_s(const PaceFacts& facts) {
  // A twentieth of the headroom in less than ten seconds may be the first seconds of a burst.
  constexpr double kJump_ratio = 0.05;
  bool young = facts.age_s && *facts.age_s < kYoungAge_s;
  bool near = facts.filled_ratio && *facts.filled_ratio >= kNearCeiling_ratio;
  bool jumped = facts.usage_jump_ratio && std::fabs(*facts.usage_jump_ratio) >= kJump_ratio;
  return young || facts.suspect || near || jumped ? kFastPace_s : kSlowPace_s;
}

}  // namespace oomen::engine
