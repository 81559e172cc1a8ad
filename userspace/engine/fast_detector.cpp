#include "engine/fast_detector.h"

#include <algorithm>

namespace oomen::engine {
namespace {

using model::Severity;

constexpr double kFastPace_s = 15;  // readings at least this often
constexpr double kMinAge_s = 15;
constexpr double kMaxAhead_s = 3600;
constexpr double kLooksPerAge = 80, kMaxPace_s = 10;
constexpr int kStreak = 3;
constexpr double kMaxAges = 1, kMinNewGround = .38, kMinLateSlope = .4;
constexpr double kMaxAgesSlow = .7, kBirthAges = 1.5, kMaxPaceSlow_s = 900;
constexpr double kTurnedBack = .1;  // of the growth
constexpr double kMinHold_s = 60;

// The newest troughs of some level stand above all that it remembers from before its last blocks.
bool new_high(const Level& level) {
  constexpr int kEnd = 2, kMost = 12;
  int n = level.size();
  if (n < 5) return false;
  int window = std::min(kMost, n / 2 + 1);
  float end = std::min(level.at(0).low, level.at(1).low);
  if (end <= level.record() || end <= level.at(window).low) return false;
  for (int age = std::max(window, kEnd); age < n; ++age)
    if (level.filtered_low(age) >= end) return false;
  return true;
}

// A line goes on where the series has already turned down.
bool has_turned(const Candidate& top, double last_bytes) {
  double growth = top.slope_bytes_per_s * top.age_s;
  return last_bytes < top.level_bytes - std::max(top.scatter_bytes, kTurnedBack * growth);
}

bool rises_on(const Forecast& forecast, double last_bytes) {
  return forecast.gated && forecast.top.signs[kNewGround] >= kMinNewGround &&
         forecast.top.signs[kSecondHalf] >= kMinLateSlope && !has_turned(forecast.top, last_bytes);
}

// A fast leak is worth an alert. A slow one from birth looks like a slow warm-up for half of its
// life, and the slow test will see it: until then it is worth a line.
Severity claim_of(const Forecast& forecast, double last_bytes, bool fast_pace) {
  double p50 = forecast.eta.p50_s, age = forecast.age_s;
  if (!rises_on(forecast, last_bytes)) return Severity::kNone;
  if (fast_pace && p50 <= kMaxAhead_s && p50 <= kMaxAges * age) return Severity::kWarning;
  bool since_birth = forecast.at_s <= kBirthAges * age;
  return since_birth && p50 <= kMaxAgesSlow * age ? Severity::kInfo : Severity::kNone;
}

}  // namespace

bool FastDetector::due(const Pyramid& pyramid) {
  double age = pyramid.age_s();
  if (age < next_s_ || age < kMinAge_s) return false;
  double step = pyramid.step_s();
  fast_pace_ = step <= kFastPace_s;
  double most = fast_pace_ ? std::max(step, kMaxPace_s) : std::max(step, kMaxPaceSlow_s);
  next_s_ = age + std::clamp(age / kLooksPerAge, step, most);
  for (int k = pyramid.first_level(2); k < kLevels && pyramid.level(k).size() >= 5; ++k)
    if (new_high(pyramid.level(k))) return true;
  streak_ = 0;
  return false;
}

Severity FastDetector::look(const std::optional<Forecast>& forecast, double last_bytes) {
  Severity claim = forecast ? claim_of(*forecast, last_bytes, fast_pace_) : Severity::kNone;
  streak_ = claim != Severity::kNone ? streak_ + 1 : 0;
  least_ = streak_ <= 1 ? claim : std::min(least_, claim);
  if (streak_ < kStreak) return Severity::kNone;
  Severity agreed = least_;
  least_ = claim;  // a graver claim needs no more than one further look
  return agreed;
}

double fast_hold_s(const Forecast& forecast) { return std::max(kMinHold_s, forecast.age_s / 2); }

}  // namespace oomen::engine
