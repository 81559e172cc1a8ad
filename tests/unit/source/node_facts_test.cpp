#include "source/node_facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace oomen::source {
namespace {

namespace fs = std::filesystem;

TEST(KernelVersion, from_releases_of_distributions) {
  EXPECT_EQ(parse_kernel_version("6.1.0-18-cloud-amd64"), (KernelVersion{6, 1}));
  EXPECT_EQ(parse_kernel_version("5.10.0-28-amd64"), (KernelVersion{5, 10}));
  EXPECT_EQ(parse_kernel_version("6.18-rc1"), (KernelVersion{6, 18}));
  EXPECT_EQ(parse_kernel_version("7.2+"), (KernelVersion{7, 2}));
  EXPECT_LT((KernelVersion{5, 10}), (KernelVersion{5, 11}));
  for (const char* text : {"", "6", "six.one", "6.", ".1"})
    EXPECT_EQ(parse_kernel_version(text), std::nullopt) << text;
}

TEST(Lockdown, is_the_word_in_brackets) {
  EXPECT_EQ(parse_lockdown("[none] integrity confidentiality\n"), "none");
  EXPECT_EQ(parse_lockdown("none [integrity] confidentiality\n"), "integrity");
  EXPECT_EQ(parse_lockdown("none integrity [confidentiality]"), "confidentiality");
  for (const char* text : {"", "none integrity", "[", "]none[", "[]"})
    EXPECT_EQ(parse_lockdown(text), std::nullopt) << text;
}

TEST(ProcessRights, from_proc_status) {
  auto rights = parse_process_rights(
      "Name:\tx\nCapEff:\t000001fffeffffff\nCapBnd:\t0000000000000003\nSeccomp:\t2\n"
      "Seccomp_filters:\t1\n");
  EXPECT_EQ(rights.effective, 0x1fffeffffffull);
  EXPECT_EQ(rights.bounding, 3u);
  EXPECT_EQ(rights.seccomp, 2);
  auto half = parse_process_rights("CapEff:\tzz\nCapBnd:");
  EXPECT_EQ(half.effective, std::nullopt);
  EXPECT_EQ(half.bounding, std::nullopt);
  EXPECT_EQ(half.seccomp, std::nullopt);
}

TEST(LockedMemory, soft_limit_in_bytes) {
  constexpr const char* kHead = "Limit  Soft Limit  Hard Limit  Units\n";
  EXPECT_EQ(parse_locked_memory_limit(std::string(kHead) +
                                      "Max locked memory         65536      8388608     bytes\n"),
            65536u);
  EXPECT_EQ(parse_locked_memory_limit("Max locked memory  unlimited  unlimited  bytes\n"),
            kUnlimited);
  EXPECT_EQ(parse_locked_memory_limit(kHead), std::nullopt);
}

TEST(Hidepid, of_the_mount_that_is_seen) {
  EXPECT_EQ(parse_hidepid("22 27 0:21 / /proc rw,relatime - proc proc rw\n"), "0");
  EXPECT_EQ(parse_hidepid("22 27 0:21 / /proc rw - proc proc rw,gid=4,hidepid=2\n"), "2");
  EXPECT_EQ(parse_hidepid("22 27 0:21 / /proc rw - proc proc rw\n"
                          "40 22 0:22 / /proc rw shared:3 - proc proc rw,hidepid=invisible"),
            "invisible");
  EXPECT_EQ(parse_hidepid("22 27 0:21 / /proc/sys ro - proc proc rw,hidepid=2\n"), std::nullopt);
}

TEST(Swap, is_the_sum_of_the_areas) {
  constexpr const char* kHead = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
  EXPECT_EQ(parse_swap_bytes(kHead), 0u);
  EXPECT_EQ(parse_swap_bytes(std::string(kHead) + "/dev/sda2   partition\t1000\t\t0\t\t-2\n" +
                             "/swap\\040file\tfile\t\t24\t\t0\t\t-3\n"),
            1024u * 1024);
  EXPECT_EQ(parse_swap_bytes(""), std::nullopt);
}

class NodeFactsTest : public testing::Test {
 protected:
  NodeFactsTest() {
    char name[] = "/tmp/oomen-facts-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~NodeFactsTest() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  NodeFacts read(CgroupMode mode = CgroupMode::kV2) {
    return read_node_facts(root_, MemoryHierarchy{mode, "/sys/fs/cgroup", 0}, "/var/log/pods");
  }

  std::string root_;
};

TEST_F(NodeFactsTest, an_empty_tree_is_all_unknown) {
  NodeFacts facts = read_node_facts(root_, std::nullopt, "/var/log/pods");
  EXPECT_EQ(facts.kernel_release, "");
  EXPECT_FALSE(facts.btf);
  EXPECT_EQ(facts.rights.effective, std::nullopt);
  EXPECT_EQ(facts.lockdown, std::nullopt) << "unreadable is unknown, never none";
  EXPECT_EQ(facts.lsms, std::nullopt);
  EXPECT_EQ(facts.swap_bytes, std::nullopt);
  EXPECT_EQ(facts.peak, std::nullopt);
  EXPECT_EQ(facts.oom_group, std::nullopt);
  EXPECT_EQ(facts.host_pid_namespace, std::nullopt);
  EXPECT_EQ(facts.pressure.code, ENOENT);
  EXPECT_EQ(facts.kmsg.code, ENOENT);
  EXPECT_EQ(facts.pod_logs.code, ENOENT);
}

TEST_F(NodeFactsTest, a_node_of_kubernetes_on_v2) {
  put("/proc/sys/kernel/osrelease", "6.1.0-18-cloud-amd64\n");
  put("/sys/kernel/btf/vmlinux", "x");
  put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
  put("/sys/kernel/security/lsm", "lockdown,capability,selinux,bpf");
  put("/proc/self/attr/current", std::string("system_u:system_r:spc_t:s0\0", 27));
  put("/proc/self/cgroup", "0::/kubepods.slice/a.scope\n");
  put("/sys/fs/cgroup/kubepods.slice/a.scope/memory.peak", "1\n");
  put("/sys/fs/cgroup/kubepods.slice/a.scope/memory.oom.group", "0\n");
  put("/proc/pressure/memory", "some avg10=0.00\n");
  put("/proc/sys/kernel/perf_event_paranoid", "3\n");
  put("/dev/kmsg", "");
  fs::create_directories(root_ + "/var/log/pods");
  fs::create_directories(root_ + "/proc/self/ns");
  fs::create_symlink("pid:[4026531836]", root_ + "/proc/self/ns/pid");

  NodeFacts facts = read();
  EXPECT_EQ(facts.kernel_release, "6.1.0-18-cloud-amd64");
  EXPECT_TRUE(facts.btf);
  EXPECT_EQ(facts.lockdown, "integrity");
  EXPECT_EQ(facts.lsms, (std::vector<std::string>{"lockdown", "capability", "selinux", "bpf"}));
  EXPECT_EQ(facts.lsm_label, "system_u:system_r:spc_t:s0");
  EXPECT_EQ(facts.cgroup_driver, "systemd");
  EXPECT_EQ(facts.peak, true);
  EXPECT_EQ(facts.oom_group, true);
  EXPECT_TRUE(facts.pressure.ok);
  EXPECT_EQ(facts.perf_event_paranoid, 3);
  EXPECT_TRUE(facts.kmsg.ok);
  EXPECT_TRUE(facts.pod_logs.ok);
  EXPECT_EQ(facts.host_pid_namespace, true);
}

TEST_F(NodeFactsTest, v1_and_a_pid_namespace_of_its_own) {
  put("/proc/self/cgroup", "4:memory:/\n");
  put("/sys/fs/cgroup/kubepods/memory.max_usage_in_bytes", "1\n");
  fs::create_directories(root_ + "/proc/self/ns");
  fs::create_symlink("pid:[4026532456]", root_ + "/proc/self/ns/pid");
  NodeFacts facts = read(CgroupMode::kV1);
  EXPECT_EQ(facts.cgroup_driver, "cgroupfs");
  EXPECT_EQ(facts.peak, true);
  EXPECT_EQ(facts.oom_group, false);
  EXPECT_EQ(facts.host_pid_namespace, false);
}

TEST_F(NodeFactsTest, a_file_that_opens_but_cannot_be_read_says_why) {
  fs::create_directories(root_ + "/proc/pressure/memory");  // opens, and reading is EISDIR
  EXPECT_EQ(read().pressure.code, EISDIR);
}

}  // namespace
}  // namespace oomen::source
