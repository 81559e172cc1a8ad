// Leaks that kill within minutes, at a pace of seconds: here the forecast itself is the evidence.
// A claim needs a believed forecast that looks no further ahead than the regime has lasted, on new
// ground, without levelling off, several times in a row. Earlier than about half of its life a leak
// cannot be told from a warm-up.
#pragma once
#include <optional>

#include "engine/forecast.h"

namespace oomen::engine {

class FastDetector {
 public:
  // Whether it is time to look again, and whether anything could be found: a cheap test, so that a
  // quiet container costs nothing.
  bool due(const Pyramid& pyramid);
  // One look. From the third in a row that would claim: how grave.
  model::Severity look(const std::optional<Forecast>& forecast, double last_bytes);

 private:
  double next_s_ = 0;
  int streak_ = 0;
  model::Severity least_ = model::Severity::kNone;  // of the streak
  bool fast_pace_ = false;
};

// How long a claim on this forecast stands.
double fast_hold_s(const Forecast& forecast);

}  // namespace oomen::engine
