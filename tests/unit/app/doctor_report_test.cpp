#include "app/doctor_report.h"

#include <gtest/gtest.h>
#include <linux/capability.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace oomen::app {
namespace {

constexpr uint64_t bit(int capability) { return uint64_t{1} << capability; }
constexpr uint64_t kLeast = bit(CAP_BPF) | bit(CAP_PERFMON) | bit(CAP_DAC_READ_SEARCH);

// A sound node of Kubernetes; each test takes something away.
source::NodeFacts sound() {
  source::NodeFacts facts;
  facts.kernel_release = "6.1.0-18-cloud-amd64";
  facts.btf = true;
  facts.rights = {kLeast, kLeast, 0};
  facts.locked_memory_limit_bytes = 65536;
  facts.lockdown = "none";
  facts.lsms = std::vector<std::string>{"capability", "apparmor"};
  facts.hierarchy = source::MemoryHierarchy{source::CgroupMode::kV2, "/sys/fs/cgroup", 0};
  facts.cgroup_driver = "systemd";
  facts.pressure = {true, 0};
  facts.host_pid_namespace = true;
  facts.pod_logs = {true, 0};
  return facts;
}

std::vector<model::Hook> hooks(bool attached, const std::string& reason = "") {
  std::vector<model::Hook> all;
  for (const char* name :
       {"growth", "mark_victim", "process_exit", "signal", "cgroup", "exec", "tasks"})
    all.push_back({name, attached ? "tp_btf" : "none", attached, reason});
  return all;
}

DoctorReport report(const source::NodeFacts& facts, const std::vector<model::Hook>& hooks) {
  return make_doctor_report(facts, hooks, AgentOptions{});
}

const Feature& feature(const DoctorReport& report, const std::string& name) {
  auto found = std::find_if(report.features.begin(), report.features.end(),
                            [&](const Feature& each) { return each.name == name; });
  EXPECT_NE(found, report.features.end()) << name;
  return *found;
}

TEST(DoctorReport, a_sound_node_is_usable) {
  DoctorReport got = report(sound(), hooks(true));
  EXPECT_EQ(got.exit_code, 0);
  EXPECT_EQ(got.summary, "usable");
  for (const Feature& each : got.features) EXPECT_EQ(each.state, FeatureState::kOn) << each.name;
}

TEST(DoctorReport, without_cgroups_there_is_no_agent) {
  auto facts = sound();
  facts.hierarchy.reset();
  facts.hierarchy_trouble = "no mount";
  DoctorReport got = report(facts, hooks(true));
  EXPECT_EQ(got.exit_code, 2);
  EXPECT_EQ(got.summary, "not usable: no usage");
}

TEST(DoctorReport, without_bpf_it_is_degraded_and_each_feature_says_what_stands_in) {
  DoctorReport got = report(sound(), hooks(false, "load: Invalid argument"));
  EXPECT_EQ(got.exit_code, 1);
  EXPECT_EQ(got.summary, "degraded: growth, deaths, births, processes");
  EXPECT_EQ(feature(got, "usage").state, FeatureState::kOn);
  EXPECT_EQ(feature(got, "births").why,
            "containers by the next scan; exec: load: Invalid argument");
}

TEST(DoctorReport, a_hook_that_was_never_reported_is_off_too) {
  EXPECT_EQ(report(sound(), {}).summary, "degraded: growth, deaths, births, processes");
}

TEST(DoctorReport, some_of_the_hooks_give_a_part) {
  auto some = hooks(true);
  some[3].attached = false;
  some[3].reason = "no such tracepoint";
  DoctorReport got = report(sound(), some);
  EXPECT_EQ(feature(got, "deaths").state, FeatureState::kLimited);
  EXPECT_EQ(feature(got, "deaths").why, "kill counts of cgroups; signal: no such tracepoint");
  EXPECT_EQ(got.exit_code, 1);
}

TEST(DoctorReport, a_lower_rung_of_growth_is_said) {
  auto lower = hooks(true);
  lower[0].rung = "vm_unmapped_area";
  EXPECT_EQ(feature(report(sound(), lower), "growth").state, FeatureState::kOn);
  EXPECT_NE(feature(report(sound(), lower), "growth").why.find("vm_unmapped_area"),
            std::string::npos);
  lower[0].rung = "syscalls";
  EXPECT_EQ(feature(report(sound(), lower), "growth").state, FeatureState::kLimited);
}

TEST(DoctorReport, a_pid_namespace_of_its_own_hides_processes) {
  auto facts = sound();
  facts.host_pid_namespace = false;
  EXPECT_EQ(feature(report(facts, hooks(true)), "processes").switch_on,
            "run in the host's pid namespace (hostPID: true)");
}

TEST(DoctorReport, psi_that_opens_but_cannot_be_read) {
  auto facts = sound();
  facts.pressure = {false, EOPNOTSUPP};
  DoctorReport got = report(facts, hooks(true));
  EXPECT_EQ(feature(got, "pressure").state, FeatureState::kOff);
  EXPECT_EQ(feature(got, "pressure").switch_on, "boot with psi=1");
  EXPECT_EQ(got.exit_code, 0) << "many sound kernels have no PSI";
}

TEST(DoctorReport, pod_logs_that_selinux_refuses) {
  auto facts = sound();
  facts.pod_logs = {false, EACCES};
  facts.lsms = std::vector<std::string>{"selinux"};
  facts.lsm_label = "system_u:system_r:container_t:s0:c472,c648";
  const DoctorReport got = report(facts, hooks(true));
  EXPECT_EQ(got.summary, "degraded: pod names");
  EXPECT_EQ(feature(got, "pod names").why, "/var/log/pods: Permission denied");
  EXPECT_NE(feature(got, "pod names").switch_on.find("SELinux"), std::string::npos);
  EXPECT_NE(feature(got, "pod names").switch_on.find("container_t:s0"), std::string::npos);
}

TEST(DoctorReport, no_pod_logs_outside_kubernetes_is_no_loss) {
  auto facts = sound();
  facts.pod_logs = {false, ENOENT};
  EXPECT_EQ(report(facts, hooks(true)).exit_code, 1) << "with a kubepods cgroup it is";
  facts.cgroup_driver = "";
  EXPECT_EQ(report(facts, hooks(true)).exit_code, 0);
}

struct ObstacleCase {
  const char* name;
  void (*change)(source::NodeFacts&, AgentOptions&);
  const char* reason;
  const char* why;        // part of it
  const char* switch_on;  // part of it; "" none
};

class Obstacles : public testing::TestWithParam<ObstacleCase> {};

TEST_P(Obstacles, the_first_that_stands_is_named) {
  auto facts = sound();
  AgentOptions options;
  GetParam().change(facts, options);
  Obstacle got = obstacle_of({"growth", "none", false, GetParam().reason}, facts, options);
  EXPECT_NE(got.why.find(GetParam().why), std::string::npos) << got.why;
  EXPECT_NE(got.switch_on.find(GetParam().switch_on), std::string::npos) << got.switch_on;
  EXPECT_EQ(got.switch_on.empty(), *GetParam().switch_on == 0) << got.switch_on;
}

constexpr const char* kRefused = "fexit: Operation not permitted";

INSTANTIATE_TEST_SUITE_P(
    All, Obstacles,
    testing::Values(
        ObstacleCase{"by_option", [](auto&, auto& options) { options.bpf = false; }, "",
                     "switched off", "--no-bpf"},
        ObstacleCase{"old_kernel", [](auto& f, auto&) { f.kernel_release = "5.4.0"; }, kRefused,
                     "older than 5.10", "5.10 or newer"},
        ObstacleCase{"no_btf", [](auto& f, auto&) { f.btf = false; }, kRefused, "btf/vmlinux",
                     "CONFIG_DEBUG_INFO_BTF"},
        ObstacleCase{"lockdown", [](auto& f, auto&) { f.lockdown = "confidentiality"; },
                     "program of this type cannot use helper bpf_probe_read#4: Invalid argument",
                     "lockdown=confidentiality", "lockdown=integrity"},
        ObstacleCase{"integrity_is_harmless", [](auto& f, auto&) { f.lockdown = "integrity"; },
                     "no such function", "no such function", ""},
        ObstacleCase{"no_cap_bpf",
                     [](auto& f, auto&) { f.rights.effective = kLeast & ~bit(CAP_BPF); }, kRefused,
                     "CAP_BPF is not held", "give CAP_BPF"},
        ObstacleCase{"bounded_away",
                     [](auto& f, auto&) { f.rights.effective = f.rights.bounding = 0; }, kRefused,
                     "CAP_BPF is not held", "bounding set lacks it"},
        ObstacleCase{"no_perfmon", [](auto& f, auto&) { f.rights.effective = bit(CAP_BPF); },
                     kRefused, "CAP_PERFMON is not held", "give CAP_PERFMON"},
        ObstacleCase{"sys_admin_stands_in",
                     [](auto& f, auto&) { f.rights.effective = bit(CAP_SYS_ADMIN); },
                     "no such function", "no such function", ""},
        ObstacleCase{"locked_memory", [](auto& f, auto&) { f.kernel_release = "5.10.0-28-amd64"; },
                     kRefused, "locked memory limit, which is 64.0 KiB", "CAP_SYS_RESOURCE"},
        ObstacleCase{"locked_memory_unlimited",
                     [](auto& f, auto&) {
                       f.kernel_release = "5.10.0-28-amd64";
                       f.locked_memory_limit_bytes = source::kUnlimited;
                     },
                     "no such function", "no such function", ""},
        ObstacleCase{"seccomp", [](auto& f, auto&) { f.rights.seccomp = 2; }, kRefused, kRefused,
                     "seccomp"},
        ObstacleCase{"lockdown_unknown", [](auto& f, auto&) { f.lockdown.reset(); }, kRefused,
                     "lockdown is unknown", "securityfs"},
        ObstacleCase{"the_kernel_refuses", [](auto&, auto&) {}, kRefused, kRefused, ""}),
    [](const auto& info) { return std::string(info.param.name); });

std::string value_of(const source::NodeFacts& facts, const std::string& name) {
  for (const NamedFact& fact : name_facts(facts))
    if (fact.name == name) return fact.value;
  return "no such fact";
}

TEST(DoctorFacts, unknown_is_said_as_unknown) {
  source::NodeFacts nothing;
  for (const char* name : {"kernel", "capabilities", "seccomp", "lockdown", "LSMs", "swap",
                           "memory.peak", "memory.oom.group", "perf_event_paranoid", "hidepid",
                           "pid namespace", "locked memory limit", "syslog(2)"})
    EXPECT_EQ(value_of(nothing, name), "unknown") << name;
}

TEST(DoctorFacts, in_words) {
  auto facts = sound();
  facts.swap_bytes = 0;
  facts.rights.seccomp = 2;
  EXPECT_EQ(value_of(facts, "capabilities"), "BPF PERFMON DAC_READ_SEARCH");
  EXPECT_EQ(value_of(facts, "swap"), "none");
  EXPECT_EQ(value_of(facts, "seccomp"), "filter");
  EXPECT_EQ(value_of(facts, "cgroup mode"), "v2");
  EXPECT_EQ(value_of(facts, "LSMs"), "capability,apparmor");
}

TEST(DoctorText, has_every_hook_and_feature_and_ends_in_the_summary) {
  auto facts = sound();
  facts.lsm_label = "evil\x1b[2J\nlabel";
  std::string text = doctor_text(report(facts, hooks(false, "no such function")));
  for (const char* word : {"growth", "mark_victim", "not attached", "no such function", "usage"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
  EXPECT_TRUE(text.ends_with("\ndegraded: growth, deaths, births, processes\n"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(DoctorJson, says_the_same) {
  auto facts = sound();
  facts.lsm_label = "not utf-8: \xff";
  facts.lockdown.reset();
  auto json = nlohmann::json::parse(doctor_json(report(facts, hooks(false, "no"))));
  EXPECT_EQ(json["state"], "degraded");
  EXPECT_EQ(json["hooks"].size(), 7u);
  EXPECT_EQ(json["hooks"][0]["attached"], false);
  EXPECT_EQ(json["features"][0]["name"], "usage");
  EXPECT_EQ(json["features"][0]["state"], "on");
  EXPECT_TRUE(json["features"][0]["switch_on"].is_null());
  auto lockdown = std::find_if(json["facts"].begin(), json["facts"].end(),
                               [](const auto& fact) { return fact["name"] == "lockdown"; });
  ASSERT_NE(lockdown, json["facts"].end());
  EXPECT_TRUE((*lockdown)["value"].is_null());
}

}  // namespace
}  // namespace oomen::app
