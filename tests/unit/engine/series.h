// Seeded synthetic memory series, and the engine run over them.
#pragma once
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "engine/container_engine.h"

namespace oomen::engine::testing {

constexpr double kMiB = 1024. * 1024, kGiB = 1024 * kMiB;
constexpr double kHour = 3600, kDay = 86400;

struct Point {
  double time_s;
  double bytes;
};
using Series = std::vector<Point>;

// Short-lived memory: a sawtooth whose height and period change from tooth to tooth.
class Sawtooth {
 public:
  Sawtooth(std::mt19937& random, double low_bytes, double high_bytes, double low_s, double high_s)
      : random_(random), height_(low_bytes, high_bytes), period_(low_s, high_s) {
    next();
  }
  double at(double time_s) {
    while (time_s >= start_s_ + length_s_) {
      start_s_ += length_s_;
      next();
    }
    return size_ * (time_s - start_s_) / length_s_;
  }

 private:
  void next() {
    size_ = height_(random_);
    length_s_ = period_(random_);
  }
  std::mt19937& random_;
  std::uniform_real_distribution<> height_, period_;
  double start_s_ = 0, length_s_ = 0, size_ = 0;
};

// Readings each step of `bytes_at(t)` from `from_s`, until it passes `limit` (the kill, which is
// not a reading) or `to_s`.
inline Series sample(double from_s, double to_s, double step_s, double limit,
                     const std::function<double(double)>& bytes_at) {
  Series out;
  for (double t = from_s; t < to_s; t += step_s) {
    double bytes = bytes_at(t);
    if (bytes >= limit) break;
    out.push_back({t, bytes});
  }
  return out;
}

struct Outcome {
  std::optional<double> info_s, firing_s, critical_s;  // when it first was at least that
  bool firing_at_end = false;
  int raised = 0;                     // how often an alert began
  double last_raised_s = 0;           // and when it last did
  std::vector<model::Assessment> at;  // at each asked time
  model::Assessment end;
};

inline Outcome run(const Series& series, std::optional<double> limit, std::vector<double> ask = {},
                   EngineSettings settings = {}) {
  Outcome out;
  ContainerEngine engine(settings);
  bool firing = false;
  uint32_t revision = 0;
  for (const Point& p : series) {
    engine.add(p.time_s, p.bytes, limit);
    while (out.at.size() < ask.size() && p.time_s >= ask[out.at.size()])
      out.at.push_back(engine.assess());
    if (engine.revision() == revision) continue;
    revision = engine.revision();
    model::Assessment now = engine.assess();
    auto note = [&](std::optional<double>& first, model::Severity least) {
      if (now.severity >= least && !first) first = p.time_s;
    };
    note(out.info_s, model::Severity::kInfo);
    note(out.firing_s, model::Severity::kWarning);
    note(out.critical_s, model::Severity::kCritical);
    if (now.firing && !firing) ++out.raised, out.last_raised_s = p.time_s;
    firing = now.firing;
  }
  out.end = engine.assess();
  out.firing_at_end = out.end.firing;
  return out;
}

}  // namespace oomen::engine::testing
