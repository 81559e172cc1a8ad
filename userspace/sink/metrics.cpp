#include "sink/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <sstream>

#include "sink/metric_table.h"
#include "sink/printable.h"

namespace oomen::sink {
namespace {

prometheus::Labels to_labels(const LabelPairs& pairs) {
  prometheus::Labels labels;
  for (const auto& [name, value] : pairs) labels.emplace(name, printable(value));
  return labels;
}

// The registry knows no such type; the serializer does.
prometheus::MetricFamily untyped(const MetricRow& row, const Picture& picture) {
  prometheus::MetricFamily family{row.name, row.help, prometheus::MetricType::Untyped, {}};
  row.collect(picture, [&](const LabelPairs& labels, double value) {
    prometheus::ClientMetric& metric = family.metric.emplace_back();
    for (const auto& [name, text] : labels) metric.label.push_back({name, printable(text)});
    metric.untyped.value = value;
  });
  return family;
}

void fill(const MetricRow& row, const Picture& picture, prometheus::Registry& registry) {
  if (row.type == MetricType::kCounter) {
    auto& family = prometheus::BuildCounter().Name(row.name).Help(row.help).Register(registry);
    row.collect(picture, [&](const LabelPairs& labels, double value) {
      // A fresh counter each time: the total is the snapshot's, not ours.
      family.Add(to_labels(labels)).Increment(value);
    });
    return;
  }
  auto& family = prometheus::BuildGauge().Name(row.name).Help(row.help).Register(registry);
  row.collect(picture, [&](const LabelPairs& labels, double value) {
    family.Add(to_labels(labels)).Set(value);
  });
}

}  // namespace

// The registry lives as long as one exposition, so a series can't outlive its container.
std::string render_metrics(const model::Snapshot& snapshot) {
  Picture picture(snapshot);
  prometheus::Registry registry;
  std::vector<prometheus::MetricFamily> families;
  for (const MetricRow& row : metric_table()) {
    if (row.type != MetricType::kUntyped)
      fill(row, picture, registry);
    else if (auto family = untyped(row, picture); !family.metric.empty())
      families.push_back(std::move(family));
  }
  for (prometheus::MetricFamily& family : registry.Collect()) families.push_back(std::move(family));
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return out.str();
}

}  // namespace oomen::sink
