#include "engine/fast_detector.h"

#include <algorithm>

namespace oomen::engine {
namespace {

constexpr double kMaxStep_s = 15;
constexpr double kMinAge_s = 15;
constexpr double kMaxAhead_s = 3600;
constexpr double kLooksPerAge = 80, kMaxPace_s = 10;
constexpr int kStreak = 3;
constexpr double kMaxAges = 1, kMinNewGround = .38, kMinLateSlope = .4;
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

bool claims(const Forecast& forecast) {
  const Candidate& top = forecast.top;
  return forecast.gated && forecast.eta.p50_s <= kMaxAges * forecast.age_s &&
         forecast.eta.p50_s <= kMaxAhead_s && top.signs[kNewGround] >= kMinNewGround &&
         top.signs[kSecondHalf] >= kMinLateSlope;
}

}  // namespace

bool FastDetector::due(const Pyramid& pyramid) {
  double age = pyramid.age_s();
  if (age < next_s_ || age < kMinAge_s) return false;
  double step = pyramid.step_s();
  next_s_ = age + std::clamp(age / kLooksPerAge, step, std::max(step, kMaxPace_s));
  if (step > kMaxStep_s) return false;
  for (int k = pyramid.first_level(2); k <= 7; ++k)
    if (new_high(pyramid.level(k))) return true;
  streak_ = 0;
  return false;
}

bool FastDetector::look(const std::optional<Forecast>& forecast) {
  streak_ = forecast && claims(*forecast) ? streak_ + 1 : 0;
  return streak_ >= kStreak;
}

double fast_hold_s(const Forecast& forecast) { return std::max(kMinHold_s, forecast.age_s / 2); }

}  // namespace oomen::engine
