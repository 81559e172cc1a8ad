#include "engine/level_series.h"

#include <algorithm>

namespace oomen::engine {

LevelSeries::LevelSeries(const Pyramid& pyramid, int k)
    : closed_(pyramid.level(k).size()), width_s_(block_width_s(k)) {
  const Level& level = pyramid.level(k);
  highest_[0] = level.record();
  for (int age = closed_ - 1; age >= 0; --age) {
    const Block& block = level.at(age);
    append(pyramid.center_s(k, block) / width_s_, block.low, block.high);
  }
  // A block that has hardly begun has not seen its trough.
  if (pyramid.open_share(k) < .5) return;
  Block open = pyramid.open(k);
  append(pyramid.center_s(k, open) / width_s_, open.low, open.high);
}

void LevelSeries::append(double t, double low, double high) {
  auto i = size_t(n_++);
  t_[i] = t;
  low_[i] = low;
  high_[i] = high;
  highest_[i + 1] = std::max(highest_[i], low);
  sum_t_[i + 1] = sum_t_[i] + t;
  sum_tt_[i + 1] = sum_tt_[i] + t * t;
  low_sums_.x[i + 1] = low_sums_.x[i] + low;
  low_sums_.tx[i + 1] = low_sums_.tx[i] + t * low;
  high_sums_.x[i + 1] = high_sums_.x[i] + high;
  high_sums_.tx[i + 1] = high_sums_.tx[i] + t * high;
}

double LevelSeries::time_scatter(int from, int to) const {
  auto a = size_t(from), b = size_t(to);
  double sum = sum_t_[b] - sum_t_[a];
  return sum_tt_[b] - sum_tt_[a] - sum * sum / (to - from);
}

Fit LevelSeries::fit(const Sums& sums, int from, int to) const {
  auto a = size_t(from), b = size_t(to);
  double m = to - from, sum_t = sum_t_[b] - sum_t_[a], sum_x = sums.x[b] - sums.x[a];
  double scatter = time_scatter(from, to);
  double slope = scatter > 0 ? (sums.tx[b] - sums.tx[a] - sum_t * sum_x / m) / scatter : 0;
  return {slope, (sum_x - slope * sum_t) / m};
}

}  // namespace oomen::engine
