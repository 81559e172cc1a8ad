#include "engine/first_passage.h"

#include <algorithm>
#include <cmath>

namespace oomen::engine {
namespace {
constexpr double kHazard10 = .10536, kHazard50 = .69315;  // -ln(.9), -ln(.5)
}

// The hazard is a staircase: it steps up each time the line has come within another excursion of
// the limit, and is certain when even the lowest one reaches.
Passage first_passage(double headroom, double slope, std::span<const double> excursions) {
  auto m = excursions.size();
  auto reached = [&](size_t k) { return std::max(0., (headroom - excursions[k]) / slope); };
  Passage passage;
  bool have10 = false;
  double hazard = 0;
  for (size_t k = 1; k <= m; ++k) {
    double from = reached(k - 1);
    if (k == m) {
      passage.p50 = from;
      break;
    }
    double rate = -std::log1p(-double(k) / double(m)), to = reached(k);
    double sum = hazard + rate * (to - from);
    if (!have10 && sum >= kHazard10) {
      passage.p10 = from + (kHazard10 - hazard) / rate;
      have10 = true;
    }
    if (sum >= kHazard50) {
      passage.p50 = from + (kHazard50 - hazard) / rate;
      break;
    }
    hazard = sum;
  }
  if (!have10) passage.p10 = passage.p50;
  return passage;
}

}  // namespace oomen::engine
