#include "engine/detector.h"

#include <algorithm>
#include <array>

#include "engine/robust.h"

namespace oomen::engine {
namespace {

// Figures of ../shared/ENGINE.md, its setting P5; tests/backtest shows what they reach.
constexpr double kOldAge_s = 30 * 3600.0;
constexpr double kNeedMost = .54, kNeedPerDoubling = .0765, kNeedLeast = .153, kNeedUnproven = .40;
constexpr double kMaxJumpYoung = .35, kMaxJumpOld = .50;
constexpr double kMinTau = .80, kMinTauOfStairs = .90;
constexpr double kMinNewGround = .38, kMinLateSlope = .40;
constexpr double kMinEndUnproven = .50;
constexpr int kHistoryWindows = 3;  // a window is proven by this many of its length before it

using Troughs = std::array<double, kMaxPoints>;

std::optional<double> highest_before(const Level& level, int blocks) {
  float high = level.record();
  int last = std::min(level.size() - 1, kRecent - 1);
  for (int age = blocks; age <= last; ++age) high = std::max(high, level.filtered_low(age));
  if (!std::isfinite(high)) return std::nullopt;
  return high;
}

// The largest step of the running floor (least of what follows), as a share of its whole rise.
double largest_jump(std::span<const double> x) {
  Troughs floor;
  auto n = x.size();
  floor[n - 1] = x[n - 1];
  for (size_t j = n - 1; j-- > 0;) floor[j] = std::min(x[j], floor[j + 1]);
  double rise = floor[n - 1] - floor[0], step = 0;
  for (size_t j = 1; j < n; ++j) step = std::max(step, floor[j] - floor[j - 1]);
  return rise > 0 ? step / rise : 1;
}

bool is_old(double age_s) { return age_s >= kOldAge_s; }

// All tests but the last, in the order of their cost.
Rejection judge_shape(Window& window, std::span<const double> x, double& intercept) {
  window.jump = largest_jump(x);
  if (window.jump > (is_old(window.age_s) ? kMaxJumpOld : kMaxJumpYoung)) return Rejection::kJump;
  window.tau = kendall_tau(x);
  if (window.tau <= kMinTau) return Rejection::kUnsteady;
  if (window.jump > kMaxJumpYoung && window.tau < kMinTauOfStairs) return Rejection::kUnsteady;
  Line line = theil_sen(x);
  if (line.slope <= 0) return Rejection::kNoRise;
  intercept = line.intercept;
  window.growth_bytes = line.slope * double(x.size() - 1);
  window.slope_bytes_per_s = line.slope / block_width_s(window.level);
  if (window.record_bytes &&
      window.end_bytes - *window.record_bytes < kMinNewGround * window.growth_bytes)
    return Rejection::kOldGround;
  window.late_slope = theil_sen(x.last(x.size() / 3)).slope / line.slope;
  return window.late_slope < kMinLateSlope ? Rejection::kPlateau : Rejection::kNone;
}

Rejection judge_size(Window& window, double start_bytes, double limit_bytes, bool unproven,
                     double sensitivity) {
  double headroom = limit_bytes - start_bytes;
  window.share = headroom > 0 ? window.growth_bytes / headroom : 1;
  bool young = unproven && !is_old(window.age_s);
  window.need = needed_share(window.age_s, young) * sensitivity;
  if (young && window.end_bytes < kMinEndUnproven * limit_bytes) return Rejection::kYoung;
  return window.share > window.need ? Rejection::kNone : Rejection::kNeed;
}

}  // namespace

double needed_share(double age_s, bool unproven) {
  double need = kNeedMost - kNeedPerDoubling * std::log2(age_s / 3600);
  return std::clamp(need, kNeedLeast, kNeedMost) + (unproven ? kNeedUnproven : 0);
}

Window test_window(const Pyramid& pyramid, int k, int blocks, std::optional<double> limit_bytes,
                   double sensitivity) {
  const Level& level = pyramid.level(k);
  Window window;
  window.level = k;
  window.blocks = blocks;
  window.age_s = blocks * block_width_s(k);
  if (int(level.count()) < blocks + 1) return window;
  auto reject = [&](Rejection why) {
    window.rejection = why;
    return window;
  };
  window.end_bytes = std::min({level.at(0).low, level.filtered_low(1), level.filtered_low(2)});
  if (window.end_bytes <= level.filtered_low(blocks - 1)) return reject(Rejection::kNoRise);
  window.record_bytes = highest_before(level, blocks);
  if (window.record_bytes && window.end_bytes <= *window.record_bytes)
    return reject(Rejection::kNotHigh);

  Troughs x;
  for (int j = 0; j < blocks; ++j) x[size_t(j)] = level.filtered_low(blocks - 1 - j);
  double start_bytes = 0;
  Rejection shape = judge_shape(window, std::span(x.data(), size_t(blocks)), start_bytes);
  if (shape != Rejection::kNone) return reject(shape);
  if (!limit_bytes) return reject(Rejection::kNeed);
  bool unproven = int(level.count()) - blocks < kHistoryWindows * blocks;
  return reject(judge_size(window, start_bytes, *limit_bytes, unproven, sensitivity));
}

}  // namespace oomen::engine
