// The one table of metrics: names, types, help, labels, when a series exists, and where its value
// comes from. The exposition, its help texts and docs/metrics.md are made from it. Pure.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/snapshot.h"

namespace oomen::sink {

// kUntyped: what is a gauge with a label `quantile`, which promtool allows to none of the types but
// a summary; and a forecast has no sum and no count of observations.
enum class MetricType { kGauge, kCounter, kUntyped };

// A snapshot with what every row needs of it worked out once.
struct Picture {
  explicit Picture(const model::Snapshot& of);
  const model::Snapshot& snapshot;
  // One container a set of labels: where an old life and its successor both still have a cgroup,
  // the younger one. Sorted by name.
  std::vector<const model::ContainerView*> containers;
};

using LabelPairs = std::vector<std::pair<const char*, std::string>>;
// Takes one series; its labels are those of the row, in any order.
using AddSeries = std::function<void(LabelPairs, double)>;

struct MetricRow {
  const char* name;
  MetricType type;
  const char* unit;  // "bytes", "seconds", "1 (true) or 0", ...
  const char* help;
  std::vector<const char*> labels;
  const char* exists;  // when there is a series, for documentation
  void (*collect)(const Picture&, const AddSeries&);
};

const std::vector<MetricRow>& metric_table();

// Nothing to tell beyond the three series: steady, or too young to be judged, and no alert stands.
bool is_quiet(const model::ContainerView& view);

}  // namespace oomen::sink
