// Where did this regime begin? Penalised straight lines per segment over a level's troughs, by
// dynamic programming (optimal partitioning: Jackson et al. 2005; penalty per segment as in PELT).
#pragma once
#include <array>

#include "engine/level_series.h"

namespace oomen::engine {

constexpr std::array<int, 5> kWindowBlocks = {8, 12, 16, 24, kRing};

struct ChangePoints {
  uint32_t count = ~0u;                              // closed blocks when this was found
  int segment_blocks = 0;                            // closed blocks since the last change
  std::array<float, kWindowBlocks.size()> regret{};  // cost of a change at each window's start
};

// `noise_floor_bytes` is the least noise believed. Over closed blocks only.
ChangePoints find_change_points(const LevelSeries& series, double noise_floor_bytes);

}  // namespace oomen::engine
