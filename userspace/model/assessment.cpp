#include "model/assessment.h"

namespace oomen::model {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUnknown: return "unknown";
    case Verdict::kSteady: return "steady";
    case Verdict::kWarming: return "warming";
    case Verdict::kCycling: return "cycling";
    case Verdict::kStepping: return "stepping";
    case Verdict::kLeaking: return "leaking";
    case Verdict::kBursting: return "bursting";
    case Verdict::kPinned: return "pinned";
  }
  return "unknown";
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::kNone: return "none";
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kCritical: return "critical";
  }
  return "none";
}

}  // namespace oomen::model
