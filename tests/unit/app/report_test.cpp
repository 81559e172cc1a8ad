#include "app/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oomen::app {
namespace {

using testing::HasSubstr;
using testing::Not;

model::ContainerView view() {
  model::ContainerView view;
  view.container.namespace_name = "demo";
  view.container.pod = view.container.container = "leaky";
  view.latest.usage_bytes = 50 << 20;
  view.assessment.trough_bytes = 40 << 20;
  view.assessment.slope_bytes_per_s = 1 << 20;
  view.assessment.verdict = model::Verdict::kLeaking;
  view.assessment.eta = model::Eta{38, 51, 75};
  view.assessment.reliable = true;
  return view;
}

TEST(ProgressLine, ShowsTroughSlopeAndTheInterval) {
  std::string line = progress_line(view(), 34);
  for (const char* part : {"34 s", "usage  50.0 MiB", "trough  40.0 MiB", "+1.0 MiB/s",
                           "51 s (38 s to 75 s)", "leaking"})
    EXPECT_THAT(line, HasSubstr(part));
}

TEST(ProgressLine, AnUnreliableEtaIsNotTold) {
  model::ContainerView unsure = view();
  unsure.assessment.reliable = false;
  EXPECT_THAT(progress_line(unsure, 34), HasSubstr("no reliable ETA"));
  EXPECT_THAT(progress_line(unsure, 34), Not(HasSubstr("51 s")));
}

TEST(AutopsyReport, SaysHowLongBeforeTheKillTheAlertCame) {
  model::Autopsy autopsy;
  autopsy.kind = "container_limit";
  autopsy.victim_pid = 42;
  autopsy.victim_comm = "leaky";
  autopsy.victim_cgroup = "/demo/leaky";
  autopsy.limit_owner_cgroup = "/demo";
  autopsy.limit_bytes = 96 << 20;
  autopsy.exit_code = 137;
  autopsy.time_ns = 100'000'000'000;
  autopsy.first_alert_ns = 66'000'000'000;
  autopsy.first_alert_wall_ns = 1;
  std::string report = autopsy_report(autopsy);
  for (const char* part :
       {"137", "pid 42 leaky in /demo/leaky", "96.0 MiB of /demo", "34 s before the kill"})
    EXPECT_THAT(report, HasSubstr(part));
  autopsy.first_alert_ns.reset();
  EXPECT_THAT(autopsy_report(autopsy), HasSubstr("none stood"));
}

}  // namespace
}  // namespace oomen::app
