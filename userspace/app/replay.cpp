#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "app/commands.h"
#include "app/replay_input.h"
#include "base/units.h"
#include "engine/container_engine.h"
#include "sink/json.h"

namespace oomen::app {
namespace {

using model::Assessment;
using model::Severity;

// The series' own clock, for people: seconds while they are few.
std::string clock_text(double time_s) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f s", time_s);
  return text;
}

std::string eta_text(const Assessment& a) {
  if (!a.eta) return "-";
  if (!a.reliable) return "no reliable ETA";
  return base::format_duration(a.eta->p50_s) + " (" + base::format_duration(a.eta->p10_s) + " .. " +
         base::format_duration(a.eta->p90_s) + ")";
}

// What is printed, one line a call: JSON for programs, a table for people.
class Printer {
 public:
  explicit Printer(bool json) : json_(json) {
    if (!json)
      std::printf("%12s  %-9s %-9s %-9s %14s  %s\n", "time", "event", "severity", "verdict",
                  "growth", "time to limit, p50 (p10 .. p90)");
  }
  void print(double time_s, std::string_view event, const Assessment& a) const {
    if (json_) {
      std::puts(sink::replay_line(time_s, event, a).c_str());
      return;
    }
    std::string growth = a.eta || a.window_s ? base::format_rate(a.slope_bytes_per_s) : "-";
    std::printf("%12s  %-9s %-9s %-9s %14s  %s%s%s\n", clock_text(time_s).c_str(),
                std::string(event).c_str(), std::string(model::name(a.severity)).c_str(),
                std::string(model::name(a.verdict)).c_str(), growth.c_str(), eta_text(a).c_str(),
                a.trend_event.empty() ? "" : "  ", std::string(a.trend_event).c_str());
  }

 private:
  bool json_;
};

// Turns the engine's state into lines: a firing line when an alert is raised or changes its
// severity, a resolved line when it ends or sinks below an alert, a forecast line each period.
class Replay {
 public:
  explicit Replay(const ReplayOptions& options)
      : options_(options),
        engine_({.sensitivity = 1, .grid_offset_s = options.grid_offset_s}),
        printer_(options.json) {}

  void add(const ReplaySample& sample) {
    auto limit = sample.limit_bytes;
    if (!limit && options_.limit_bytes) limit = double(*options_.limit_bytes);
    engine_.add(sample.time_s, sample.bytes, limit);
    bool due = sample.time_s >= next_s_;
    if (!due && engine_.revision() == revision_) return;
    Assessment now = engine_.assess();
    if (engine_.revision() != revision_) changed(sample.time_s, now);
    if (due) {
      printer_.print(sample.time_s, "forecast", now);
      next_s_ = sample.time_s + options_.every_s;
    }
  }

 private:
  void changed(double time_s, const Assessment& now) {
    revision_ = engine_.revision();
    if (severity_ >= Severity::kInfo && (now.severity < severity_) &&
        now.severity < Severity::kWarning)
      printer_.print(time_s, "resolved", now);
    if (now.severity != Severity::kNone) printer_.print(time_s, "firing", now);
    severity_ = now.severity;
  }

  const ReplayOptions& options_;
  engine::ContainerEngine engine_;
  Printer printer_;
  uint32_t revision_ = 0;
  Severity severity_ = Severity::kNone;
  double next_s_ = -1e300;
};

base::Result<void> run(std::istream& in, const ReplayOptions& options) {
  ReplayInput input(options.file == "-" ? "standard input" : options.file);
  Replay replay(options);
  std::string text;
  while (std::getline(in, text)) {
    auto sample = input.line(text);
    if (!sample) return sample.error();
    if (*sample) replay.add(**sample);
  }
  if (in.bad()) return base::errno_error("reading " + options.file);
  return input.end();
}

base::Result<void> replay_file(const ReplayOptions& options) {
  if (options.file == "-") return run(std::cin, options);
  std::ifstream in(options.file);
  // A folder opens but cannot be read.
  if (!in || in.peek() == std::ifstream::traits_type::eof()) {
    if (!in.eof() || in.bad()) return base::errno_error("reading " + options.file);
    in.clear();
  }
  return run(in, options);
}

}  // namespace

int replay(const ReplayOptions& options) {
  auto done = replay_file(options);
  if (done) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "oomen: %s\n", done.error().message.c_str());
  return 2;  // whatever is wrong is wrong with the input
}

}  // namespace oomen::app
