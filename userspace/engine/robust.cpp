#include "engine/robust.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace oomen::engine {
namespace {

constexpr int kMaxSen = 24;

double median_in_place(double* first, double* last) {
  auto n = last - first;
  if (n == 0) return 0;
  double* middle = first + n / 2;
  std::nth_element(first, middle, last);
  if (n % 2) return *middle;
  return (*middle + *std::max_element(first, middle)) / 2;
}

}  // namespace

double median(std::span<const double> x) {
  std::array<double, kMaxPoints> copy;
  size_t n = std::min<size_t>(x.size(), kMaxPoints);
  std::copy_n(x.begin(), n, copy.begin());
  return median_in_place(copy.data(), copy.data() + n);
}

double quantile_sorted(std::span<const double> sorted, double q) {
  if (sorted.empty()) return 0;
  double at = q * double(sorted.size() - 1);
  auto low = size_t(at);
  if (low + 1 >= sorted.size()) return sorted.back();
  return sorted[low] + (at - double(low)) * (sorted[low + 1] - sorted[low]);
}

double kendall_tau(std::span<const double> x) {
  int up = 0;
  auto n = int(x.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) up += (x[j] > x[i]) - (x[j] < x[i]);
  return n < 2 ? 0 : double(up) / (n * (n - 1) / 2);
}

Line theil_sen(std::span<const double> x) {
  std::array<double, kMaxSen*(kMaxSen - 1) / 2> slopes;
  auto n = int(std::min<size_t>(x.size(), kMaxSen));
  int used = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) slopes[used++] = (x[j] - x[i]) / (j - i);
  Line line;
  line.slope = median_in_place(slopes.data(), slopes.data() + used);
  std::array<double, kMaxSen> rest;
  for (int i = 0; i < n; ++i) rest[i] = x[i] - line.slope * i;
  line.intercept = median_in_place(rest.data(), rest.data() + n);
  return line;
}

}  // namespace oomen::engine
