#include <algorithm>

#include "app/doctor_report.h"
#include "sink/printable.h"

namespace oomen::app {
namespace {

using Row = std::vector<std::string>;

// Columns as wide as their widest cell; the last one runs on.
std::string table(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i];
      if (i + 1 < row.size()) line.append(widths[i] - row[i].size(), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string clean(const std::string& text) { return sink::printable(text); }

}  // namespace

std::string doctor_text(const DoctorReport& report) {
  std::vector<Row> facts, hooks, features;
  for (const NamedFact& fact : report.facts)
    facts.push_back(
        {fact.name, clean(fact.value) + (fact.note.empty() ? "" : " (" + clean(fact.note) + ")")});
  for (const model::Hook& hook : report.hooks)
    hooks.push_back({hook.name, hook.attached ? hook.rung : "not attached", clean(hook.reason)});
  for (const Feature& feature : report.features) {
    std::string why = clean(feature.why);
    if (!feature.switch_on.empty()) why += " -> " + clean(feature.switch_on);
    features.push_back({feature.name, std::string(name(feature.state)), why});
  }
  return "Node\n" + table(facts) + "\nHooks\n" + table(hooks) + "\nFeatures\n" + table(features) +
         "\n" + report.summary + "\n";
}

}  // namespace oomen::app
