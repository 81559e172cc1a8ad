// Time until headroom is gone: every plausible onset at every scale votes, weighted by how far
// votes of its kind have been right. Nothing here decides whether to alert.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "engine/candidate.h"
#include "engine/reliability.h"
#include "model/assessment.h"

namespace oomen::engine {

constexpr double kMinReliability = .5;  // below it no ETA is told to people

struct Forecast {
  model::Eta eta;
  double reliability = 0;
  double at_s = 0;     // age of the series when it was made
  double age_s = 0;    // of the regime: of the longest window believed about as much as the best
  Candidate top;       // the vote that weighs most
  bool gated = false;  // believed enough to be told to people
};

constexpr int kMaxCandidates = kLevels * (int(kWindowBlocks.size()) + 1);
struct Candidates {
  int n = 0;
  std::array<Candidate, kMaxCandidates> all;
  void add(const std::optional<Candidate>& one) {
    if (one) all[size_t(n++)] = *one;
  }
};

class Forecaster {
 public:
  // Absent: too short, or nothing rises.
  std::optional<Forecast> forecast(const Pyramid& pyramid, double limit_bytes);

  // Every window that rises, for the forecast and for fitting its weights.
  void candidates(const Pyramid& pyramid, double limit_bytes, Candidates& out);

 private:
  void add_level(const Pyramid& pyramid, int level, double limit_bytes, Candidates& out);

  // A level's change points move only when it closes a block.
  std::array<ChangePoints, kLevels> change_points_;
};

// The forecast of a set of candidates.
std::optional<Forecast> combine(const Candidates& candidates, double limit_bytes);

// What the interval's width depends on, besides the constant 1 at index 0.
WidthTerms width_terms(const Candidate& top, double reliability, double p50_s, double limit_bytes);

}  // namespace oomen::engine
