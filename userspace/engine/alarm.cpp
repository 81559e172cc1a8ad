#include "engine/alarm.h"

#include <algorithm>

namespace oomen::engine {

using model::Severity;

void Alarm::claim(Severity severity, double now_s, double until_s) {
  until_s = std::max(until_s, now_s);
  info_until_ = std::max(info_until_, until_s);
  if (severity >= Severity::kWarning) warning_until_ = std::max(warning_until_, until_s);
  if (severity >= Severity::kCritical) critical_until_ = std::max(critical_until_, until_s);
}

bool Alarm::settle(double now_s) {
  Severity before = severity_;
  severity_ = critical_until_ >= now_s  ? Severity::kCritical
              : warning_until_ >= now_s ? Severity::kWarning
              : info_until_ >= now_s    ? Severity::kInfo
                                        : Severity::kNone;
  bool was_firing = before >= Severity::kWarning;
  if (firing() && !was_firing) since_s_ = now_s;
  return severity_ != before;
}

}  // namespace oomen::engine
