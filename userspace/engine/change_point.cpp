#include "engine/change_point.h"

#include <algorithm>
#include <span>

#include "engine/robust.h"

namespace oomen::engine {
namespace {

constexpr double kPenalty = 12;
constexpr int kMinSegment = 5;
constexpr double kClipSigmas = 4;

using Points = std::array<double, kRing>;

double noise(const LevelSeries& series, double floor) {
  int n = series.closed();
  Points bends;
  double moves = 0;
  for (int i = 2; i < n; ++i)
    bends[size_t(i - 2)] = std::abs(series.low(i) - 2 * series.low(i - 1) + series.low(i - 2));
  for (int i = 1; i < n; ++i) moves += std::abs(series.low(i) - series.low(i - 1));
  double mad = median(std::span(bends.data(), size_t(n - 2))) / (.6745 * std::sqrt(6.));
  return std::max({mad, floor, .25 * moves / (n - 1)});
}

// One deep or high block must not make a segment of its own.
Points clipped(const LevelSeries& series, double sigma) {
  int n = series.closed();
  Points out;
  for (int i = 0; i < n; ++i) {
    int from = std::max(0, i - 2), to = std::min(n, i + 3);
    std::array<double, 5> near;
    for (int j = from; j < to; ++j) near[size_t(j - from)] = series.low(j);
    double middle = median(std::span(near.data(), size_t(to - from)));
    out[size_t(i)] =
        std::clamp(series.low(i), middle - kClipSigmas * sigma, middle + kClipSigmas * sigma) /
        sigma;
  }
  return out;
}

// Squared error of the best line over [i, j) in O(1).
class LineCost {
 public:
  LineCost(const LevelSeries& series, const Points& x) : n_(series.closed()) {
    double origin = series.t(0);
    for (int i = 0; i < n_; ++i) {
      double t = series.t(i) - origin, y = x[size_t(i)] - x[0];
      auto a = size_t(i);
      sums_[a + 1] = {sums_[a].t + t, sums_[a].tt + t * t, sums_[a].y + y, sums_[a].ty + t * y,
                      sums_[a].yy + y * y};
    }
  }
  double operator()(int i, int j) const {
    const Sum &a = sums_[size_t(i)], &b = sums_[size_t(j)];
    double m = j - i, t = b.t - a.t, y = b.y - a.y;
    double stt = b.tt - a.tt - t * t / m, sty = b.ty - a.ty - t * y / m;
    double syy = b.yy - a.yy - y * y / m;
    return std::max(0., stt > 0 ? syy - sty * sty / stt : syy);
  }

 private:
  struct Sum {
    double t = 0, tt = 0, y = 0, ty = 0, yy = 0;
  };
  int n_;
  std::array<Sum, kRing + 1> sums_{};
};

}  // namespace

ChangePoints find_change_points(const LevelSeries& series, double noise_floor_bytes) {
  int n = series.closed();
  ChangePoints found;
  found.segment_blocks = n;
  if (n < 2 * kMinSegment) return found;
  LineCost cost(series, clipped(series, noise(series, noise_floor_bytes)));
  std::array<double, kRing + 1> best;
  best[0] = 0;
  int last_start = 0;
  for (int j = 1; j <= n; ++j) {
    best[size_t(j)] = j < kMinSegment ? 1e18 : cost(0, j) + kPenalty;
    for (int i = kMinSegment; i <= j - kMinSegment; ++i) {
      double total = best[size_t(i)] + cost(i, j) + kPenalty;
      if (total >= best[size_t(j)]) continue;
      best[size_t(j)] = total;
      if (j == n) last_start = i;
    }
  }
  found.segment_blocks = n - last_start;
  for (size_t w = 0; w < kWindowBlocks.size(); ++w) {
    int start = std::max(0, n - kWindowBlocks[w]);
    double total = best[size_t(start)] + cost(start, n) + kPenalty;
    found.regret[w] = float(std::clamp(total - best[size_t(n)], 0., 1e6));
  }
  return found;
}

}  // namespace oomen::engine
