#include <gtest/gtest.h>

#include <cstdlib>

#include "base/fd.h"
#include "sink/metric_table.h"
#include "sink/metrics.h"

namespace oomen::sink {
namespace {

constexpr const char* kFile = "docs/metrics.md";

// Run at the top of the tree; `make docs/metrics.md` sets the variable to write the file anew.
TEST(MetricDocumentation, TheFileIsUpToDate) {
  if (getenv("OOMEN_WRITE_DOCS")) {
    ASSERT_TRUE(base::write_file_atomically(kFile, metrics_documentation()));
  }
  auto text = base::read_file(kFile);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, metrics_documentation()) << "run: make docs/metrics.md";
}

TEST(MetricTable, NamesSayTheirTypeAndNoLabelIsAnIdentity) {
  for (const MetricRow& row : metric_table()) {
    std::string name = row.name;
    EXPECT_TRUE(name.starts_with("oomen_")) << name;
    EXPECT_EQ(name.ends_with("_total"), row.type == MetricType::kCounter) << name;
    for (std::string label : row.labels)
      for (const char* identity : {"pid", "comm", "id", "uid", "cgroup"})
        EXPECT_NE(label, identity) << name;
  }
}

// The labels a row declares are those its series have.
TEST(MetricTable, SeriesHaveTheLabelsOfTheirRow) {
  model::Snapshot snapshot;
  model::ContainerView& view = snapshot.containers.emplace_back();
  view.unreclaimable_bytes = 1;
  view.ceiling = model::Ceiling{"container", 2, ""};
  view.assessment.verdict = model::Verdict::kLeaking;
  view.assessment.firing = view.assessment.reliable = true;
  view.assessment.eta = model::Eta{1, 2, 3};
  snapshot.last_kills = {{"a", "b", "c", {}, 1}};
  snapshot.status.hooks = {{"growth", "fexit", true, ""}};
  snapshot.status.losses = snapshot.status.errors = {{"kind", 1}};
  Picture picture(snapshot);
  for (const MetricRow& row : metric_table()) {
    size_t count = 0;
    row.collect(picture, [&](const LabelPairs& labels, double) {
      ++count;
      std::vector<std::string> names, declared(row.labels.begin(), row.labels.end());
      for (const auto& [name, value] : labels) names.emplace_back(name);
      EXPECT_EQ(names, declared) << row.name;
    });
    EXPECT_GT(count, 0u) << row.name;
  }
}

}  // namespace
}  // namespace oomen::sink
