#include "engine/fast_detector.h"

#include <algorithm>

namespace oomen::engine {
namespace {

using model::Severity;

constexpr double kMinAge_s = 15;
constexpr double kLooksPerAge = 80;
constexpr int kStreak = 3;
constexpr double kMinNewGround = .38, kMinLateSlope = .4;
constexpr double kTurnedBack = .1;  // of the growth
constexpr double kMinHold_s = 60;
constexpr double kMargin = 2;  // by which the cheap test is laxer than the claim

// Whether at this width the newest troughs stand above all that is remembered, and have risen so
// much that the rest of the way is comparable.
bool may_claim(const Level& level, double limit_bytes) {
  constexpr int kMost = 12;
  int n = level.size();
  if (n < 5) return false;
  int window = std::min(kMost, n / 2 + 1);
  float end = std::min(level.at(0).low, level.at(1).low);
  if (end <= level.record() || end <= level.at(window).low) return false;
  float lowest = end, highest = 0;
  for (int age = 0; age < n; ++age) {
    if (age >= window && level.filtered_low(age) >= end) return false;
    lowest = std::min(lowest, level.at(age).low);
    highest = std::max(highest, level.at(age).high);
  }
  return limit_bytes - highest <= kMargin * (end - lowest);
}

// A line goes on where the series has already turned down.
bool has_turned(const Candidate& top, double last_bytes) {
  double growth = top.slope_bytes_per_s * top.age_s;
  return last_bytes < top.level_bytes - std::max(top.scatter_bytes, kTurnedBack * growth);
}

}  // namespace

const FastRule kFastRule = {15, 10, 7, 1, 3600, 1e9, Severity::kWarning};
const FastRule kFromBirthRule = {1e9, 900, kLevels - 1, .7, 1e9, 1.5, Severity::kInfo};

bool FastDetector::due(const Pyramid& pyramid, double limit_bytes) {
  double age = pyramid.age_s(), step = pyramid.step_s();
  if (age < next_s_ || age < kMinAge_s) return false;
  next_s_ = age + std::clamp(age / kLooksPerAge, step, std::max(step, rule_.max_pace_s));
  if (step <= rule_.max_step_s)
    for (int k = pyramid.first_level(2); k <= rule_.last_level; ++k)
      if (may_claim(pyramid.level(k), limit_bytes)) return true;
  streak_ = 0;
  return false;
}

bool FastDetector::claims(const Forecast& forecast, double last_bytes) const {
  const Candidate& top = forecast.top;
  double p50 = forecast.eta.p50_s, age = forecast.age_s;
  return forecast.gated && top.signs[kNewGround] >= kMinNewGround &&
         top.signs[kSecondHalf] >= kMinLateSlope && !has_turned(top, last_bytes) &&
         p50 <= rule_.max_ages * age && p50 <= rule_.max_ahead_s &&
         forecast.at_s <= rule_.birth_ages * age;
}

bool FastDetector::look(const std::optional<Forecast>& forecast, double last_bytes) {
  streak_ = forecast && claims(*forecast, last_bytes) ? streak_ + 1 : 0;
  return streak_ >= kStreak;
}

double fast_hold_s(const Forecast& forecast) { return std::max(kMinHold_s, forecast.age_s / 2); }

}  // namespace oomen::engine
