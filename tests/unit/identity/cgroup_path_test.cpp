#include "identity/cgroup_path.h"

#include <gtest/gtest.h>

namespace oomen::identity {
namespace {

const std::string kId(64, 'a');
const std::string kUid = "0f2b6d1c-8a44-4f0e-9d5a-3f6f5a7c9b10";
const std::string kUidInSlice = "0f2b6d1c_8a44_4f0e_9d5a_3f6f5a7c9b10";

struct Case {
  std::string path, kind, uid, id, qos, runtime, driver;
};

class CgroupPath : public testing::TestWithParam<Case> {};

TEST_P(CgroupPath, Says) {
  const Case& expected = GetParam();
  auto found = identify_cgroup(expected.path);
  EXPECT_EQ(found.kind, expected.kind);
  EXPECT_EQ(found.pod_uid, expected.uid);
  EXPECT_EQ(found.container_id, expected.id);
  EXPECT_EQ(found.qos, expected.qos);
  EXPECT_EQ(found.runtime, expected.runtime);
  EXPECT_EQ(found.driver, expected.driver);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, CgroupPath,
    testing::Values(
        Case{"/kubepods/burstable/pod" + kUid + "/" + kId, "container", kUid, kId, "burstable", "",
             "cgroupfs"},
        Case{"/kubepods/pod" + kUid + "/" + kId, "container", kUid, kId, "guaranteed", "",
             "cgroupfs"},
        Case{"/kubepods/besteffort/pod" + kUid, "pod", kUid, "", "besteffort", "", "cgroupfs"},
        Case{"/kubepods/burstable", "qos", "", "", "burstable", "", "cgroupfs"},
        Case{"/kubepods", "kubepods", "", "", "", "", "cgroupfs"},
        Case{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + kUidInSlice +
                 ".slice/cri-containerd-" + kId + ".scope",
             "container", kUid, kId, "burstable", "containerd", "systemd"},
        Case{"/kubepods.slice/kubepods-pod" + kUidInSlice + ".slice/crio-" + kId + ".scope",
             "container", kUid, kId, "guaranteed", "cri-o", "systemd"},
        Case{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" + kUidInSlice +
                 ".slice/crio-conmon-" + kId + ".scope",
             "helper", kUid, kId, "besteffort", "cri-o", "systemd"},
        Case{"/kubepods.slice/kubepods-besteffort.slice", "qos", "", "", "besteffort", "",
             "systemd"},
        Case{"/kubepods/burstable/pod0123456789abcdef0123456789abcdef/" + kId, "container",
             "0123456789abcdef0123456789abcdef", kId, "burstable", "", "cgroupfs"},
        Case{"/system.slice/docker-" + kId + ".scope", "container", "", kId, "", "docker",
             "systemd"},
        Case{"/docker/" + kId, "container", "", kId, "", "", "cgroupfs"},
        Case{"/kubepods/burstable/pod" + kUid + "/" + kId + "/init.scope", "container", kUid, kId,
             "burstable", "", "cgroupfs"},
        Case{"/system.slice/sshd.service", "unit", "", "", "", "", "systemd"},
        Case{"/oomen-run/demo_leaky-12", "cgroup", "", "", "", "", ""},
        Case{"/", "cgroup", "", "", "", "", ""},
        Case{"/kubepods/burstable/podnotauid/" + kId, "qos", "", "", "burstable", "", "cgroupfs"}));

TEST(RunName, GoesThereAndBack) {
  auto name = run_name("/" + run_cgroup_path("demo", "leaky-app", 4242));
  ASSERT_TRUE(name);
  EXPECT_EQ(name->namespace_name, "demo");
  EXPECT_EQ(name->pod, "leaky-app");
  EXPECT_FALSE(run_name("/oomen-run"));
  EXPECT_FALSE(run_name("/oomen-run/nounderscore-1"));
  EXPECT_FALSE(run_name("/other/demo_leaky-1"));
}

TEST(PlainName, IsTheLastPartWithoutSystemdsSuffix) {
  EXPECT_EQ(plain_name("/system.slice/sshd.service"), "sshd");
  EXPECT_EQ(plain_name("/a/b"), "b");
  EXPECT_EQ(plain_name("/"), "/");
}

}  // namespace
}  // namespace oomen::identity
