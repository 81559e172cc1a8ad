#include "sink/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/fd.h"
#include "snapshots.h"

namespace oomen::sink {
namespace {
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

// Lines with samples whose text holds all of `parts`.
template <class... Part>
std::vector<std::string> series(const std::string& text, Part... parts) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line[0] != '#' && ((line.find(parts) != std::string::npos) && ...)) found.push_back(line);
  return found;
}

TEST(Metrics, ASteadyContainerHasExactlyThreeSeries) {
  std::string text = render_metrics(snapshot_of({container_view("demo", "pod", "app")}));
  std::string labels = R"(container="app",namespace="demo",node="n1",pod="pod"})";
  EXPECT_THAT(
      series(text, "pod=\"pod\""),
      UnorderedElementsAre(
          "oomen_container_unreclaimable_bytes{" + labels + " 52428800",
          R"(oomen_container_ceiling_bytes{container="app",level="container",namespace="demo",node="n1",pod="pod"} 100663296)",
          "oomen_container_growth_bytes_per_second{" + labels + " 0"));
}

TEST(Metrics, AnAlertHasVerdictEtaSeverityAndOwner) {
  std::string text = render_metrics(snapshot_of({leaking_view("demo", "pod", "app")}));
  EXPECT_THAT(series(text, "oomen_container_verdict{", "verdict=\"leaking\"} 1"), SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_alert{", "severity=\"critical\"} 1"), SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_info{", "workload=\"pay\"", "Deployment"), SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_oom_eta_seconds{", "quantile=\"0.1\"} 30"), SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_oom_eta_seconds{", "quantile=\"0.5\"} 45"), SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_oom_eta_seconds{", "quantile=\"0.9\"} 70"), SizeIs(1));
}

TEST(Metrics, AnUnreliableEtaIsNotTold) {
  model::ContainerView view = leaking_view("demo", "pod", "app");
  view.assessment.reliable = false;
  EXPECT_THAT(series(render_metrics(snapshot_of({view})), "oom_eta"), IsEmpty());
}

TEST(Metrics, WhatIsUnknownHasNoSeries) {
  model::ContainerView view = container_view("demo", "pod", "app");
  view.unreclaimable_bytes.reset();
  view.ceiling.reset();
  std::string text = render_metrics(snapshot_of({view}));
  EXPECT_THAT(series(text, "pod=\"pod\""), Each(StartsWith("oomen_container_growth")));
}

TEST(Metrics, SeriesGoWithTheirContainerButTheLastKillStays) {
  model::Snapshot snapshot = snapshot_of({});
  snapshot.last_kills = {
      {"demo", "pod", "app", {"Deployment", "pay", true}, 1'700'000'000'250'000'000}};
  std::string text = render_metrics(snapshot);
  EXPECT_THAT(series(text, "pod=\"pod\""), SizeIs(2));
  EXPECT_THAT(series(text, "oomen_container_last_oom_kill_timestamp_seconds{", " 1700000000.25"),
              SizeIs(1));
  EXPECT_THAT(series(text, "oomen_container_info{", "workload=\"pay\""), SizeIs(1));
}

TEST(Metrics, ASuspectThatWasKilledBeforeHasOneInfo) {
  model::Snapshot snapshot = snapshot_of({leaking_view("demo", "pod", "app")});
  snapshot.last_kills = {{"demo", "pod", "app", {"Deployment", "pay", true}, 1}};
  EXPECT_THAT(series(render_metrics(snapshot), "oomen_container_info{"), SizeIs(1));
}

TEST(Metrics, OfTwoLivesOfOneNameTheYoungerIsTold) {
  model::ContainerView old_life = leaking_view("demo", "pod", "app");
  model::ContainerView new_life = container_view("demo", "pod", "app");
  old_life.container.birth_ns = 1;
  new_life.container.birth_ns = 2;
  new_life.unreclaimable_bytes = 7;
  std::string text = render_metrics(snapshot_of({new_life, old_life}));
  EXPECT_THAT(series(text, "pod=\"pod\""), SizeIs(3));
  EXPECT_THAT(series(text, "unreclaimable", "} 7"), SizeIs(1));
}

TEST(Metrics, TwoHundredAndFiftyQuietContainersStayUnderAThousandSeries) {
  std::vector<model::ContainerView> views;
  for (int i = 0; i < 250; ++i) {
    views.push_back(container_view("demo", "pod" + std::to_string(i), "app"));
    if (i % 2) views.back().assessment.verdict = model::Verdict::kUnknown;
  }
  model::Snapshot snapshot = snapshot_of(views);
  for (const char* hook :
       {"growth", "mark_victim", "process_exit", "signal", "cgroup", "exec", "tasks"})
    snapshot.status.hooks.push_back({hook, "tp_btf", true, ""});
  EXPECT_LT(series(render_metrics(snapshot), "").size(), 1000u);
}

TEST(Metrics, TheAgentTellsOfItself) {
  model::Snapshot snapshot = snapshot_of({leaking_view("a", "b", "c")});
  snapshot.status.hooks = {{"growth", "fexit", true, ""}, {"signal", "none", false, "refused"}};
  snapshot.status.losses = {{"growth", 3}};
  snapshot.status.errors = {{"cgroup_read", 2}};
  snapshot.status.degraded = true;
  snapshot.status.cpu_seconds = 1.5;
  std::string text = render_metrics(snapshot);
  for (const char* line :
       {R"(oomen_agent_hook_attached{hook="growth",node="n1",rung="fexit"} 1)",
        R"(oomen_agent_hook_attached{hook="signal",node="n1",rung="none"} 0)",
        R"(oomen_agent_events_lost_total{kind="growth",node="n1"} 3)",
        R"(oomen_agent_errors_total{kind="cgroup_read",node="n1"} 2)",
        R"(oomen_agent_degraded{node="n1"} 1)", R"(oomen_agent_cpu_seconds_total{node="n1"} 1.5)",
        R"(oomen_agent_containers{node="n1",verdict="leaking"} 1)",
        R"(oomen_agent_loop_heartbeat_timestamp_seconds{node="n1"} 1700000000.5)"})
    EXPECT_THAT(series(text, ""), Contains(line));
}

TEST(Metrics, HostileNamesStayInsideTheirLabel) {
  std::string name = "a\"b\\c\nd\xff\x1b[31m";
  std::string text = render_metrics(snapshot_of({container_view("demo", name, name)}));
  EXPECT_THAT(series(text, "unreclaimable"), SizeIs(1));
  EXPECT_THAT(text, HasSubstr(R"(pod="a\"b\\c)"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

// Prometheus' own linter, where it is installed.
TEST(Metrics, PromtoolFindsNothingToSay) {
  if (system("command -v promtool >/dev/null") != 0) GTEST_SKIP() << "promtool is not installed";
  model::Snapshot snapshot = snapshot_of({leaking_view("demo", "pod", "a\"\n\xff")});
  snapshot.status.hooks = {{"growth", "fexit", true, ""}};
  snapshot.status.losses = {{"growth", 3}};
  snapshot.status.errors = {{"cgroup_read", 2}};
  snapshot.last_kills = {{"demo", "gone", "app", {}, 1'700'000'000'250'000'000}};
  FILE* promtool = popen("promtool check metrics >&2", "w");
  ASSERT_TRUE(promtool);
  std::string text = render_metrics(snapshot);
  fwrite(text.data(), 1, text.size(), promtool);
  EXPECT_EQ(pclose(promtool), 0);
}

}  // namespace
}  // namespace oomen::sink
