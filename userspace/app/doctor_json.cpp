#include <nlohmann/json.hpp>

#include "app/doctor_report.h"

namespace oomen::app {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name(FeatureWeight weight) {
  switch (weight) {
    case FeatureWeight::kEssential: return "essential";
    case FeatureWeight::kExpected: return "expected";
    case FeatureWeight::kExtra: return "extra";
  }
  return "expected";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string_view state_of(int exit_code) {
  return exit_code == 0 ? "usable" : exit_code == 1 ? "degraded" : "not_usable";
}

}  // namespace

std::string doctor_json(const DoctorReport& report) {
  Json out{{"state", state_of(report.exit_code)}, {"summary", report.summary}};
  out["facts"] = Json::array();
  for (const NamedFact& fact : report.facts)
    out["facts"].push_back({{"name", fact.name},
                            {"value", fact.value == "unknown" ? Json(nullptr) : Json(fact.value)},
                            {"note", text_or_null(fact.note)}});
  out["hooks"] = Json::array();
  for (const model::Hook& hook : report.hooks)
    out["hooks"].push_back({{"name", hook.name},
                            {"rung", hook.rung},
                            {"attached", hook.attached},
                            {"reason", text_or_null(hook.reason)}});
  out["features"] = Json::array();
  for (const Feature& feature : report.features)
    out["features"].push_back({{"name", feature.name},
                               {"state", app::name(feature.state)},
                               {"weight", name(feature.weight)},
                               {"why", feature.why},
                               {"switch_on", text_or_null(feature.switch_on)}});
  // Labels and names come from outside: bytes that are no UTF-8 are replaced, never thrown at.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oomen::app
