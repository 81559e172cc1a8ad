// The standing alert: raised by claims, held for as long as each claim is good for, and no longer
// once the growth has been given back. Knows nothing of why.
#pragma once
#include "model/assessment.h"

namespace oomen::engine {

class Alarm {
 public:
  // Each keeps its severity standing until `until_s`; a longer claim that stands is not shortened.
  void claim(model::Severity severity, double now_s, double until_s);
  // All claims are withdrawn: growth given back, or a ceiling that moved away.
  void withdraw() { info_until_ = warning_until_ = critical_until_ = kNever; }
  // Lets expired claims go. True when the severity changed since the last call.
  bool settle(double now_s);

  model::Severity severity() const { return severity_; }
  // An alert stands, or will once this is settled.
  bool claimed(double now_s) const { return firing() || warning_until_ >= now_s; }
  bool firing() const { return severity_ >= model::Severity::kWarning; }
  double since_s() const { return since_s_; }

 private:
  static constexpr double kNever = -1e300;
  double info_until_ = kNever, warning_until_ = kNever, critical_until_ = kNever;
  double since_s_ = 0;
  model::Severity severity_ = model::Severity::kNone;
};

}  // namespace oomen::engine
