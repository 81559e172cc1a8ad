// What the facts of a node mean for the agent: which features it would have, why, and what would
// switch the others on. Pure.
#pragma once
#include <string>
#include <vector>

#include "app/options.h"
#include "model/snapshot.h"
#include "source/node_facts.h"

namespace oomen::app {

enum class FeatureState {
  kOn,
  kLimited,  // works, with less
  kOff,
};

enum class FeatureWeight {
  kEssential,  // without it there is no agent
  kExpected,   // without it the agent is degraded
  kExtra,      // good to have; many sound nodes do without
};

struct Feature {
  std::string name;
  FeatureWeight weight = FeatureWeight::kExpected;
  FeatureState state = FeatureState::kOff;
  std::string why;
  std::string switch_on;  // what would make it fully on; "" nothing, or nothing that is known
};

struct NamedFact {
  std::string name;
  std::string value;  // "unknown" where it could not be read
  std::string note;   // what it means for the agent, where it means something
};

struct DoctorReport {
  std::vector<NamedFact> facts;
  std::vector<model::Hook> hooks;
  std::vector<Feature> features;
  int exit_code = 0;    // 0 usable, 1 degraded, 2 not usable
  std::string summary;  // one line
};

DoctorReport make_doctor_report(const source::NodeFacts& facts,
                                const std::vector<model::Hook>& hooks, const AgentOptions& options);

// Why a hook is not attached, and what would help: the first of the known obstacles that stands.
struct Obstacle {
  std::string why;
  std::string switch_on;
};
Obstacle obstacle_of(const model::Hook& hook, const source::NodeFacts& facts,
                     const AgentOptions& options);

std::vector<NamedFact> name_facts(const source::NodeFacts& facts);
std::string_view name(FeatureState state);  // on | limited | off
std::string doctor_text(const DoctorReport& report);
std::string doctor_json(const DoctorReport& report);

}  // namespace oomen::app
