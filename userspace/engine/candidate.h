// One guess at "this regime began m blocks ago": the line over the troughs since, when it meets the
// limit, and the signs by which such guesses turned out right or wrong.
#pragma once
#include <array>
#include <optional>

#include "engine/change_point.h"
#include "engine/level_series.h"

namespace oomen::engine {

enum Sign {
  kSlopeError,    // ln(standard error of the slope / slope)
  kGrowthNoise,   // ln(growth over the window / scatter about the line)
  kBlocks,        // ln(blocks)
  kSecondHalf,    // slope of the second half / slope
  kFirstHalf,     // slope of the first half / slope
  kLastQuarter,   // slope of the last quarter / slope
  kRegret,        // sqrt(what a change at its start costs over the best change)
  kNewGround,     // (line now - highest trough before) / growth
  kPeakSlope,     // ln(slope of the peaks / slope)
  kPeakHeadroom,  // ln(96 % excursion / headroom)
  kSigns
};

struct Candidate {
  int level = 0;
  int blocks = 0;
  double width_s = 0;
  double age_s = 0;
  double slope_bytes_per_s = 0;
  double level_bytes = 0;  // the line now
  double swing_bytes = 0;  // 96 % of excursions above it are less
  double scatter_bytes = 0;
  double p50_s = 0;
  double p10_s = 0;      // by the window's own excursions
  double p10_all_s = 0;  // by all kept blocks' peaks: what came before the onset counts
  std::array<double, kSigns> signs{};
};

// Excursions of all kept blocks above their own troughs, highest first.
struct Spikes {
  int n = 0;
  std::array<double, LevelSeries::kMost> heights;
};
Spikes spikes_of(const LevelSeries& series);

// Absent when the line over blocks [from, size) does not rise or its slope is lost in noise.
std::optional<Candidate> make_candidate(const LevelSeries& series, const Spikes& spikes, int from,
                                        double regret, double limit_bytes);

}  // namespace oomen::engine
