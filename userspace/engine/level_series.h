// One level of the pyramid laid out for fitting: oldest block first, time in block widths with 0 at
// the last reading, and prefix sums so that a straight line over any stretch costs O(1).
#pragma once
#include <array>

#include "engine/pyramid.h"

namespace oomen::engine {

struct Fit {
  double slope = 0;  // bytes per block width
  double now = 0;    // the line at the last reading
  double at(double t) const { return now + slope * t; }
};

class LevelSeries {
 public:
  static constexpr int kMost = kRing + 1;  // the open block too, once half of it is over

  LevelSeries(const Pyramid& pyramid, int level);

  int size() const { return n_; }
  int closed() const { return closed_; }
  double width_s() const { return width_s_; }
  double t(int i) const { return t_[size_t(i)]; }
  double low(int i) const { return low_[size_t(i)]; }
  double high(int i) const { return high_[size_t(i)]; }
  // Highest low among the first i blocks and the level's record; -inf when there is none.
  double highest_low_before(int i) const { return highest_[size_t(i)]; }

  // Least squares over blocks [from, to).
  Fit fit_lows(int from, int to) const { return fit(low_sums_, from, to); }
  Fit fit_highs(int from, int to) const { return fit(high_sums_, from, to); }
  double time_scatter(int from, int to) const;  // sum of (t - mean t)^2

 private:
  struct Sums {
    std::array<double, kMost + 1> x{}, tx{};
  };
  void append(double t, double low, double high);
  Fit fit(const Sums& sums, int from, int to) const;

  int n_ = 0;
  int closed_ = 0;
  double width_s_ = 0;
  std::array<double, kMost> t_, low_, high_;
  std::array<double, kMost + 1> highest_, sum_t_{}, sum_tt_{};
  Sums low_sums_, high_sums_;
};

}  // namespace oomen::engine
