#include "engine/verdict.h"

#include <algorithm>

#include "engine/reasons.h"
#include "engine/robust.h"

namespace oomen::engine {
namespace {

using model::Severity;
using model::Verdict;

constexpr int kMinViewBlocks = 6;
constexpr double kWarmGrowth = .05;    // of the level now, over the last quarter of the view
constexpr double kBurstOfLimit = .30;  // swing that alone is a risk
constexpr double kPeakNearLimit = .85, kTroughFarFromLimit = .70;
constexpr double kCycleSwing = .15;  // of the trough
constexpr double kStepShare = .6, kStepSize = .05;

// The whole life, or as much of it as the widest blocks hold, in 24 to 48 blocks.
struct View {
  int n = 0;
  double first = 0, three_quarters = 0, now = 0, highest = 0, swing = 0, largest_step = 0;
};

double low_around(const Level& level, int age) {
  return level.filtered_low(std::clamp(age, 0, level.size() - 1));
}

View view_of(const Pyramid& pyramid) {
  int k = pyramid.first_level(1);
  while (k + 1 < kLevels && int(pyramid.level(k).count()) > kRing) ++k;
  const Level& level = pyramid.level(k);
  View view{.n = level.size()};
  if (view.n < kMinViewBlocks) return view;
  view.first = low_around(level, view.n - 1);
  view.three_quarters = low_around(level, view.n / 4);
  view.now = low_around(level, 1);
  std::array<double, kRing> swings;
  for (int age = 0; age < view.n; ++age) {
    swings[size_t(age)] = level.at(age).high - level.at(age).low;
    view.highest = std::max<double>(view.highest, level.at(age).high);
    if (age + 2 < view.n)
      view.largest_step = std::max<double>(view.largest_step,
                                           level.filtered_low(age) - level.filtered_low(age + 1));
  }
  view.swing = median(std::span(swings.data(), size_t(view.n)));
  return view;
}

bool is_bursting(const View& view, double limit) {
  if (view.now > kTroughFarFromLimit * limit) return false;
  return view.highest > kPeakNearLimit * limit || view.swing > kBurstOfLimit * limit;
}

bool is_stepping(const View& view) {
  double rise = view.now - view.first;
  return view.largest_step > kStepShare * rise && view.largest_step > kStepSize * view.now &&
         rise > 0;
}

model::Reason reason(std::string_view code, bool against, std::vector<model::Figure> figures) {
  return {code, against, std::move(figures)};
}

model::Reason rejection_reason(const Pyramid& pyramid, const Findings& found) {
  const Window& w = found.window;
  double above = w.end_bytes - w.record_bytes.value_or(w.end_bytes);
  switch (w.rejection) {
    case Rejection::kNone:
    case Rejection::kTooShort: return reason(code::kTooShort, true, {{"age_s", pyramid.age_s()}});
    case Rejection::kNoRise: return reason(code::kNoRise, true, {{"window_s", w.age_s}});
    case Rejection::kNotHigh:
      return reason(code::kNotNewHigh, true, {{"window_s", w.age_s}, {"below_bytes", -above}});
    case Rejection::kJump: return reason(code::kOneStep, true, {{"of_growth_ratio", w.jump}});
    case Rejection::kUnsteady: return reason(code::kUnsteady, true, {{"rank_correlation", w.tau}});
    case Rejection::kOldGround:
      return reason(code::kOldGround, true,
                    {{"above_bytes", above}, {"growth_bytes", w.growth_bytes}});
    case Rejection::kPlateau:
      return reason(code::kPlateau, true, {{"late_slope_ratio", w.late_slope}});
    case Rejection::kYoung:
      return reason(code::kYoung, true,
                    {{"window_s", w.age_s}, {"eaten_ratio", w.share}, {"needed_ratio", w.need}});
    case Rejection::kNeed: break;
  }
  if (!found.limit_bytes) return reason(code::kNoCeiling, true, {});
  return reason(code::kTooLittle, true, {{"eaten_ratio", w.share}, {"needed_ratio", w.need}});
}

void add_window_reasons(const Findings& found, std::vector<model::Reason>& out) {
  const Window& w = found.window;
  if (w.rejection < Rejection::kPlateau && !w.passes()) return;
  out.push_back(reason(code::kTroughsRise, false,
                       {{"window_s", w.age_s},
                        {"troughs", double(w.blocks)},
                        {"slope_bytes_per_s", w.slope_bytes_per_s},
                        {"rank_correlation", w.tau}}));
  if (w.record_bytes)
    out.push_back(reason(code::kNewHigh, false, {{"above_bytes", w.end_bytes - *w.record_bytes}}));
  if (w.passes())
    out.push_back(
        reason(code::kHeadroomEaten, false, {{"eaten_ratio", w.share}, {"needed_ratio", w.need}}));
}

void add_forecast_reasons(const Forecast& forecast, std::vector<model::Reason>& out) {
  double p50 = forecast.eta.p50_s;
  if (forecast.gated)
    out.push_back(reason(code::kForecastNear, false,
                         {{"p50_s", p50},
                          {"window_s", forecast.age_s},
                          {"reliability_ratio", forecast.reliability}}));
  else if (forecast.reliability < kMinReliability)
    out.push_back(reason(code::kUnreliable, true, {{"reliability_ratio", forecast.reliability}}));
  else
    out.push_back(reason(code::kFarAhead, true, {{"p50_s", p50}, {"window_s", forecast.age_s}}));
}

}  // namespace

Window nearest_window(const Pyramid& pyramid, std::optional<double> limit_bytes,
                      double sensitivity) {
  Window nearest;
  int first = std::max(kDetectorFirstLevel, pyramid.first_level(.99));
  for (int k = first; k<kLevels&& int(pyramid.level(k).count())> 16; ++k)
    for (int blocks : {16, 24}) {
      Window window = test_window(pyramid, k, blocks, limit_bytes, sensitivity);
      if (window.passes()) return window;
      if (window.rejection > nearest.rejection) nearest = window;
    }
  return nearest;
}

Verdict verdict_of(const Pyramid& pyramid, const Findings& found) {
  if (found.severity >= Severity::kInfo) return Verdict::kLeaking;
  View view = view_of(pyramid);
  if (view.n < kMinViewBlocks) return Verdict::kUnknown;
  if (found.limit_bytes && is_bursting(view, *found.limit_bytes)) return Verdict::kBursting;
  if (view.now - view.three_quarters > kWarmGrowth * view.now) {
    if (is_stepping(view)) return Verdict::kStepping;
    return Verdict::kWarming;
  }
  return view.swing > kCycleSwing * view.now ? Verdict::kCycling : Verdict::kSteady;
}

std::vector<model::Reason> reasons_of(const Pyramid& pyramid, const Findings& found) {
  std::vector<model::Reason> out;
  add_window_reasons(found, out);
  if (!found.window.passes()) out.push_back(rejection_reason(pyramid, found));
  if (found.forecast && found.limit_bytes) add_forecast_reasons(*found.forecast, out);
  View view = view_of(pyramid);
  if (view.n >= kMinViewBlocks && view.swing > kCycleSwing * view.now)
    out.push_back(
        reason(code::kSwing, false, {{"swing_bytes", view.swing}, {"peak_bytes", view.highest}}));
  return out;
}

}  // namespace oomen::engine
