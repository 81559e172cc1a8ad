#include "sink/metric_table.h"
#include "sink/metrics.h"

namespace oomen::sink {
namespace {

constexpr const char* kIntroduction =
    "# Metrics\n\n"
    "Made from the table in `userspace/sink/metric_table.cpp` by `make docs/metrics.md`; a unit "
    "test fails when the two differ.\n\n"
    "Served at `/metrics` in the text format 0.0.4. Scrape with `honor_labels: true`, or "
    "`namespace`, `pod` and `container` become those of the agent's own pod.\n\n"
    "A container is *quiet* while it is steady, or too young to be judged, and no alert stands: "
    "it then has three series, and a fourth once it was killed. All series of a container go "
    "when it goes, but for its last kill. Process ids, comms and cgroup ids never are labels.\n";

std::string labels_text(const MetricRow& row) {
  std::string text;
  for (const char* label : row.labels)
    text += (text.empty() ? "`" : ", `") + std::string(label) + "`";
  return text;
}

std::string section(const MetricRow& row) {
  const char* type = row.type == MetricType::kCounter ? "counter"
                     : row.type == MetricType::kGauge ? "gauge"
                                                      : "untyped (a gauge by nature)";
  return "\n## " + std::string(row.name) + "\n\n" + row.help + "\n\n- type: " + type +
         "\n- unit: " + row.unit + "\n- labels: " + labels_text(row) + "\n- exists: " + row.exists +
         "\n";
}

}  // namespace

std::string metrics_documentation() {
  std::string text = kIntroduction;
  for (const MetricRow& row : metric_table()) text += section(row);
  return text;
}

}  // namespace oomen::sink
