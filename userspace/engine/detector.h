// Is this window of troughs a leak? One test over the last blocks of one width: troughs that rise
// steadily, above everything remembered, without one step making most of it and without levelling
// off, and that have eaten a share of the headroom which must be larger the younger the window is.
#pragma once
#include <optional>

#include "engine/pyramid.h"

namespace oomen::engine {

constexpr int kDetectorFirstLevel = 6;  // 75 s; narrower blocks belong to the fast detector

enum class Rejection {
  kNone,
  kTooShort,   // too few blocks
  kNoRise,     // does not end above its beginning
  kNotHigh,    // not above what was seen before
  kJump,       // one step makes most of the rise
  kUnsteady,   // troughs do not rise in order
  kOldGround,  // most of the rise regained lost ground
  kPlateau,    // the last third is slower than the whole
  kYoung,      // little history and half of the limit still free
  kNeed,       // too little of the headroom eaten for its age
};

struct Window {
  int level = 0;
  int blocks = 0;
  double age_s = 0;
  double end_bytes = 0;  // the least of the last three troughs
  double growth_bytes = 0;
  double slope_bytes_per_s = 0;
  double tau = 0;
  double jump = 0;                     // the largest step's share of the rise
  double late_slope = 1;               // of the last third, in units of the whole
  double share = 0;                    // of the headroom at the window's start, eaten
  double need = 1;                     // the share asked for
  std::optional<double> record_bytes;  // highest trough before the window
  Rejection rejection = Rejection::kTooShort;

  bool passes() const { return rejection == Rejection::kNone; }
};

// Without a limit the share cannot be told and the best outcome is kNeed.
Window test_window(const Pyramid& pyramid, int level, int blocks, std::optional<double> limit_bytes,
                   double sensitivity);

// The share of headroom that must be eaten by a window of this age before it is believed.
double needed_share(double age_s, bool unproven);

}  // namespace oomen::engine
