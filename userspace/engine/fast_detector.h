// Leaks that kill before the slow test has its blocks: here the forecast itself is the evidence. A
// claim needs a believed forecast that looks no further ahead than the regime has lasted, on new
// ground, without levelling off, several times in a row. Earlier than about half of its life a leak
// cannot be told from a warm-up.
#pragma once
#include <optional>

#include "engine/forecast.h"

namespace oomen::engine {

struct FastRule {
  double max_step_s;   // readings at least this often
  double max_pace_s;   // looks at least this often
  int last_level;      // widest blocks in which a new high is sought
  double max_ages;     // p50 is no more than this many ages of the regime
  double max_ahead_s;  // nor more than this
  double birth_ages;   // the series is no older than this many ages of the regime
  model::Severity severity;
};

// Read every second or ten: alerts.
extern const FastRule kFastRule;
// A slow leak from birth looks like a slow warm-up for half of its life, and the slow test will see
// it: until then it is worth a line.
extern const FastRule kFromBirthRule;

class FastDetector {
 public:
  explicit FastDetector(const FastRule& rule) : rule_(rule) {}

  // Whether it is time to look again, and whether anything could be found: a cheap test, so that a
  // quiet container costs nothing.
  bool due(const Pyramid& pyramid, double limit_bytes);
  // One look. True from the third in a row that would claim.
  bool look(const std::optional<Forecast>& forecast, double last_bytes);
  model::Severity severity() const { return rule_.severity; }

 private:
  bool claims(const Forecast& forecast, double last_bytes) const;

  const FastRule& rule_;
  double next_s_ = 0;
  int streak_ = 0;
};

// How long a claim on this forecast stands.
double fast_hold_s(const Forecast& forecast);

}  // namespace oomen::engine
