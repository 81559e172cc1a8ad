#include "engine/candidate.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/first_passage.h"
#include "engine/robust.h"

namespace oomen::engine {
namespace {

constexpr int kMinBlocks = 4;
constexpr double kMaxSlopeError = 2;  // in slopes; beyond it nothing is known

using Heights = std::array<double, LevelSeries::kMost>;

double ln(double x) { return std::log(std::max(x, 1e-6)); }

struct Residuals {
  double sd = 0;
  double correlation = 0;  // with the next one, with a correction for short windows
};
Residuals residuals(const LevelSeries& series, const Fit& line, int from) {
  int m = series.size() - from;
  double squares = 0, products = 0, before = 0;
  for (int i = from; i < series.size(); ++i) {
    double r = series.low(i) - line.at(series.t(i));
    squares += r * r;
    products += r * before;
    before = r;
  }
  double rho = squares > 0 ? products / squares + 2. / m : 0;
  return {std::sqrt(squares / std::max(1, m - 2)), std::clamp(rho, 0., .9)};
}

double slope_ratio(const LevelSeries& series, int from, int to, double slope) {
  return std::clamp(series.fit_lows(from, to).slope / slope, -2., 4.);
}

void add_signs(Candidate& c, const LevelSeries& series, const Fit& line, int from, double error,
               double regret) {
  int n = series.size(), m = n - from;
  double growth = line.slope * m, peak_slope = series.fit_highs(from, n).slope;
  int half = m / 2, quarter = std::max(3, m / 4);
  c.signs[kSlopeError] = std::clamp(ln(error / line.slope), -6., 1.);
  c.signs[kGrowthNoise] = std::clamp(ln(growth / std::max(c.scatter_bytes, 1.)), -2., 6.);
  c.signs[kBlocks] = ln(m);
  c.signs[kSecondHalf] = slope_ratio(series, n - std::max(2, half), n, line.slope);
  c.signs[kFirstHalf] = slope_ratio(series, from, from + std::max(2, half), line.slope);
  c.signs[kLastQuarter] = slope_ratio(series, n - std::min(m, quarter), n, line.slope);
  c.signs[kRegret] = std::clamp(std::sqrt(regret), 0., 30.);
  double before = series.highest_low_before(from);
  c.signs[kNewGround] =
      std::isfinite(before) ? std::clamp((line.now - before) / growth, -4., 2.) : 1;
  c.signs[kPeakSlope] = std::clamp(ln(peak_slope / line.slope), -2., 2.);
}

}  // namespace

Spikes spikes_of(const LevelSeries& series) {
  Spikes spikes;
  spikes.n = series.size();
  for (int i = 0; i < spikes.n; ++i) spikes.heights[size_t(i)] = series.high(i) - series.low(i);
  std::sort(spikes.heights.begin(), spikes.heights.begin() + spikes.n, std::greater<>());
  return spikes;
}

std::optional<Candidate> make_candidate(const LevelSeries& series, const Spikes& spikes, int from,
                                        double regret, double limit_bytes) {
  int m = series.size() - from;
  if (m < kMinBlocks) return std::nullopt;
  Fit line = series.fit_lows(from, series.size());
  if (line.slope <= 0) return std::nullopt;
  Residuals rest = residuals(series, line, from);
  double rho = rest.correlation;
  double error = rest.sd * std::sqrt((1 + rho) / (1 - rho) /
                                     std::max(1e-9, series.time_scatter(from, series.size())));
  if (error > kMaxSlopeError * line.slope) return std::nullopt;

  Candidate c{.blocks = m, .width_s = series.width_s()};
  c.age_s = (-series.t(from) + .5) * c.width_s;
  c.slope_bytes_per_s = line.slope / c.width_s;
  c.level_bytes = line.now;
  c.scatter_bytes = rest.sd;
  Heights up;
  for (int i = from; i < series.size(); ++i)
    up[size_t(i - from)] = series.high(i) - line.at(series.t(i));
  std::sort(up.begin(), up.begin() + m, std::greater<>());
  c.swing_bytes = std::max(0., up[size_t(.04 * (m - 1))]);
  double headroom = limit_bytes - line.now;
  Passage own = first_passage(headroom, line.slope, std::span(up.data(), size_t(m)));
  Passage all =
      first_passage(headroom, line.slope, std::span(spikes.heights.data(), size_t(spikes.n)));
  c.p50_s = own.p50 * c.width_s;
  c.p10_s = own.p10 * c.width_s;
  c.p10_all_s = all.p10 * c.width_s;
  add_signs(c, series, line, from, error, regret);
  c.signs[kPeakHeadroom] =
      std::clamp(ln(c.swing_bytes / std::max(headroom, 1e-3 * limit_bytes)), -6., 1.);
  return c;
}

}  // namespace oomen::engine
