// How far a candidate is to be believed: a logistic over its signs, each bent at three knots, and
// the width of the interval around the forecast. The numbers come from tests/backtest/fit.py.
#pragma once
#include <array>

#include "engine/candidate.h"

namespace oomen::engine {

constexpr int kKnots = 3;
constexpr int kTermsPerSign = kKnots + 1;

struct ReliabilityWeights {
  double bias;
  std::array<std::array<double, kKnots>, kSigns> knots;
  std::array<std::array<double, kTermsPerSign>, kSigns> weights;
};

// Five figures on which the interval's width depends.
constexpr int kWidthTerms = 6;  // with the constant
using WidthTerms = std::array<double, kWidthTerms>;
struct WidthWeights {
  WidthTerms lower;  // ln(p50 / p10)
  WidthTerms upper;  // ln(p90 / p50)
};

extern const ReliabilityWeights kReliability;
extern const WidthWeights kWidth;

// Probability that the candidate's p50 is within a factor 1.7 of the truth.
double reliability(const Candidate& candidate);

}  // namespace oomen::engine
