// What the engine says of one series: verdict, trend, forecast, and the reasons as data. Text is
// made at the edge.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomen::model {

enum class Verdict {
  kUnknown,
  kSteady,
  kWarming,
  kCycling,
  kStepping,
  kLeaking,
  kBursting,
  kPinned
};
enum class Severity { kNone, kInfo, kWarning, kCritical };

std::string_view name(Verdict verdict);    // "leaking", as in DESIGN
std::string_view name(Severity severity);  // "none" | "info" | "warning" | "critical"

// Seconds until headroom is gone: 10 %, 50 % and 90 % of outcomes are earlier.
struct Eta {
  double p10_s = 0;
  double p50_s = 0;
  double p90_s = 0;
};

// A reason or a piece of counter-evidence: a code from a fixed list and its figures, each with its
// unit in the name.
struct Figure {
  std::string_view name;  // static text, e.g. "window_s", "slope_bytes_per_s"
  double value = 0;
};
struct Reason {
  std::string_view code;  // static text, e.g. "troughs_rise", "new_high", "plateau", "too_short"
  bool against = false;   // counter-evidence
  std::vector<Figure> figures;
};

struct Assessment {
  Verdict verdict = Verdict::kUnknown;
  Severity severity = Severity::kNone;  // of the standing alert; kNone: nothing stands
  bool firing = false;                  // an alert stands (hysteresis included)
  double since_s = 0;                   // when this verdict began, on the series' clock
  double firing_since_s = 0;            // when the standing alert began; only while firing
  double slope_bytes_per_s = 0;  // growth of the troughs in the chosen window; 0 when there is none
  std::optional<double> trough_bytes;  // level of the fitted troughs now
  std::optional<double> swing_bytes;   // the usual rise of peaks above them
  std::optional<double> window_s;      // age of the window the slope is from
  std::optional<Eta> eta;              // absent: nothing can be said, or there is no ceiling
  bool reliable = false;               // only a reliable ETA is told to people
  std::string_view
      trend_event;  // "" | "stopped" | "fixed" | "stepped", at the moment it is noticed
  std::vector<Reason> reasons;
};

}  // namespace oomen::model
