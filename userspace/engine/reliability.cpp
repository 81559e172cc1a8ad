#include "engine/reliability.h"

#include <algorithm>
#include <cmath>

namespace oomen::engine {

double reliability(const Candidate& candidate) {
  double z = kReliability.bias;
  for (size_t s = 0; s < kSigns; ++s) {
    double x = candidate.signs[s];
    z += kReliability.weights[s][0] * x;
    for (size_t k = 0; k < kKnots; ++k)
      z += kReliability.weights[s][k + 1] * std::max(0., x - kReliability.knots[s][k]);
  }
  return 1 / (1 + std::exp(-z));
}

}  // namespace oomen::engine
