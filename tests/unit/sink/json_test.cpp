#include "sink/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "snapshots.h"

namespace oomen::sink {
namespace {
using nlohmann::json;

json only(const std::string& text) {
  json list = json::parse(text);
  EXPECT_EQ(list.size(), 1u);
  return list.at(0);
}

TEST(ContainersJson, TellsAllOfTheContract) {
  json c = only(containers_json(snapshot_of({leaking_view("demo", "pod", "app")})));
  EXPECT_EQ(c["id"], "4711");
  EXPECT_EQ(c["namespace"], "demo");
  EXPECT_EQ(c["pod"], "pod");
  EXPECT_EQ(c["container"], "app");
  EXPECT_EQ(c["node"], "n1");
  EXPECT_EQ(c["owner"], json::parse(R"({"kind":"Deployment","name":"pay","derived":true})"));
  EXPECT_EQ(c["verdict"], "leaking");
  EXPECT_EQ(c["severity"], "critical");
  EXPECT_EQ(c["since"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(c["slope_bytes_per_s"], 1048576);
  EXPECT_EQ(c["eta_s"], json::parse(R"({"p10":30,"p50":45,"p90":70})"));
  EXPECT_EQ(c["ceiling"]["level"], "container");
  EXPECT_EQ(c["ceiling"]["bytes"], 96 * kMiB);
  EXPECT_EQ(c["unreclaimable_bytes"], 50 * kMiB);
  EXPECT_EQ(c["grows"], json::parse(R"(["anon"])"));
  EXPECT_EQ(c["drivers"], json::array());
  EXPECT_EQ(c["reasons"][0]["code"], "troughs_rise");
  EXPECT_EQ(c["reasons"][0]["figures"]["window_s"], 40);
}

TEST(ContainersJson, UnknownIsNullAndNoKeyIsMissing) {
  model::Snapshot snapshot;
  snapshot.containers.emplace_back();
  json c = only(containers_json(snapshot));
  for (const char* key : {"namespace", "pod", "container", "node", "qos", "since", "eta_s",
                          "ceiling", "unreclaimable_bytes", "usage_bytes", "classes"}) {
    ASSERT_TRUE(c.contains(key)) << key;
    EXPECT_TRUE(c[key].is_null()) << key;
  }
  EXPECT_EQ(c["verdict"], "unknown");
  EXPECT_EQ(c["severity"], "none");
  EXPECT_TRUE(c["owner"]["name"].is_null());
}

TEST(ContainersJson, AnUnreliableEtaIsNull) {
  model::ContainerView view = leaking_view("demo", "pod", "app");
  view.assessment.reliable = false;
  EXPECT_TRUE(only(containers_json(snapshot_of({view})))["eta_s"].is_null());
}

TEST(ContainersJson, AnAbsentClassIsNullNotZero) {
  model::ContainerView view = container_view("demo", "pod", "app");
  view.classes = model::MemoryClasses{};
  view.classes->anon = 0;
  json classes = only(containers_json(snapshot_of({view})))["classes"];
  EXPECT_EQ(classes["anon_bytes"], 0);
  EXPECT_TRUE(classes["slab_reclaimable_bytes"].is_null());
}

TEST(ContainersJson, ThoseInDangerComeFirst) {
  json list = json::parse(containers_json(
      snapshot_of({container_view("a", "quiet", "app"), leaking_view("z", "leaking", "app")})));
  EXPECT_EQ(list[0]["pod"], "leaking");
  EXPECT_EQ(list[1]["pod"], "quiet");
}

TEST(ContainersJson, HostileBytesAndOddNumbersAreSurvived) {
  model::ContainerView view =
      container_view("\xff\xfe", std::string("a\0b\x1b", 4), "\xed\xa0\x80");
  view.assessment.slope_bytes_per_s = std::numeric_limits<double>::quiet_NaN();
  json c = only(containers_json(snapshot_of({view})));
  EXPECT_TRUE(c["slope_bytes_per_s"].is_null());
  EXPECT_EQ(c["pod"].get<std::string>().size(), 4u);
}

TEST(AutopsiesJson, TellsAllOfTheContract) {
  model::Snapshot snapshot = snapshot_of({});
  auto autopsy = std::make_shared<model::Autopsy>(killed_at_limit());
  autopsy->victim_cgroup = autopsy->limit_owner_cgroup = "/kubepods/leaky";
  autopsy->witnesses = {{"mark_victim", autopsy->time_ns + 2'000'000, "pid 1234 was chosen"}};
  autopsy->disagreements = {"one"};
  snapshot.autopsies = {autopsy};
  json a = only(autopsies_json(snapshot));
  EXPECT_EQ(a["id"], "n1-1");
  EXPECT_EQ(a["time"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(a["namespace"], "demo");
  EXPECT_EQ(a["pod"], "leaky");
  EXPECT_EQ(a["container"], "leaky");
  EXPECT_EQ(a["kind"], "container_limit");
  EXPECT_EQ(a["exit_code"], 137);
  EXPECT_EQ(a["signal"], 9);
  EXPECT_EQ(a["victim_pid"], 1234);
  EXPECT_EQ(a["victim_comm"], "leaky");
  EXPECT_EQ(a["victim_cgroup"], "/kubepods/leaky");
  EXPECT_EQ(a["limit_owner_cgroup"], "/kubepods/leaky");
  EXPECT_EQ(a["limit_bytes"], 96 * kMiB);
  EXPECT_EQ(a["first_alert_time"], "2023-11-14T22:12:46.000Z");
  EXPECT_EQ(a["reconciles"], json::array());
  EXPECT_EQ(a["witnesses"][0]["time"], "2023-11-14T22:13:20.002Z");
  EXPECT_EQ(a["disagreements"], json::parse(R"(["one"])"));
  EXPECT_TRUE(a["sentence"].is_string());
  EXPECT_FALSE(a.contains("last_minutes"));
}

TEST(AutopsyJson, UnknownIsNullAndNoKeyIsMissing) {
  json a = json::parse(autopsy_json(model::Autopsy{}, ""));
  for (const char* key :
       {"time", "namespace", "kind", "exit_code", "signal", "victim_pid", "victim_comm",
        "victim_cgroup", "limit_owner_cgroup", "limit_bytes", "first_alert_time", "forecast"}) {
    ASSERT_TRUE(a.contains(key)) << key;
    EXPECT_TRUE(a[key].is_null()) << key;
  }
}

TEST(AutopsyJson, HoldsWhatWasSeenBefore) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.last_minutes.emplace_back().time_ns = autopsy.time_ns - 2'000'000'000;
  autopsy.processes.emplace_back().comm = "\xfflea";
  autopsy.forecast = leaking_view("", "", "").assessment;
  json a = json::parse(autopsy_json(autopsy, "n1"));
  EXPECT_EQ(a["last_minutes"][0]["before_death_s"], 2);
  EXPECT_EQ(a["processes"][0]["comm"], "\xEF\xBF\xBDlea");
  EXPECT_EQ(a["forecast"]["eta_s"]["p50"], 45);
}

TEST(StatusJson, SaysWhatIsMissingAndWhy) {
  model::Snapshot snapshot = snapshot_of({});
  snapshot.status.degraded = true;
  snapshot.status.degraded_because = {"no BTF"};
  snapshot.status.hooks = {{"growth", "none", false, "refused"}};
  snapshot.status.losses = {{"growth", 7}};
  json s = json::parse(status_json(snapshot));
  EXPECT_EQ(s["version"], "1.2.3");
  EXPECT_EQ(s["degraded_because"][0], "no BTF");
  EXPECT_EQ(s["hooks"][0]["reason"], "refused");
  EXPECT_EQ(s["losses"]["growth"], 7);
  EXPECT_TRUE(s["started"].is_null());
}

}  // namespace
}  // namespace oomen::sink
