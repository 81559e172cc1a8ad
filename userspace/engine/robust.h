// Order statistics over a handful of numbers: what a trend is made of that one odd block cannot
// bend. Spans are at most kMaxPoints long.
#pragma once
#include <span>

namespace oomen::engine {

constexpr int kMaxPoints = 48;

struct Line {
  double slope = 0;      // per index step, or per unit of t
  double intercept = 0;  // at index 0, or t = 0
};

double median(std::span<const double> x);
// The q-quantile, linear between order statistics; `sorted` ascending.
double quantile_sorted(std::span<const double> sorted, double q);
// Kendall's rank correlation of x with its index, -1..1; ties count nothing.
double kendall_tau(std::span<const double> x);
// Median of all pairwise slopes over the index, median intercept (Theil 1950, Sen 1968). At most 24
// points.
Line theil_sen(std::span<const double> x);

}  // namespace oomen::engine
