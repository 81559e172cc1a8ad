// When does a rising line plus the usual excursions above it first touch the limit? Each future
// block crosses with the share of past excursions that reach the limit from where the line then is.
#pragma once
#include <span>

namespace oomen::engine {

struct Passage {
  double p10 = 0;  // in block widths from now
  double p50 = 0;
};

// `excursions` are heights above the line, sorted with the highest first, at least one. `slope` > 0
// a block.
Passage first_passage(double headroom, double slope, std::span<const double> excursions);

}  // namespace oomen::engine
