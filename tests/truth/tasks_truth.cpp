// The task iterator against /proc of a program that stands still.
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support.h"

namespace oomen::truth {
namespace {

std::string status_of(int pid, const std::string& key) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key + ":"))
      return line.substr(line.find_first_not_of(" \t", key.size() + 1));
  return {};
}

uint64_t status_bytes(int pid, const std::string& key) {
  return std::strtoull(status_of(pid, key).c_str(), nullptr, 10) * 1024;
}

uint32_t open_files_of(int pid) {
  std::filesystem::directory_iterator fds("/proc/" + std::to_string(pid) + "/fd");
  return static_cast<uint32_t>(std::distance(begin(fds), end(fds)));
}

uint64_t start_ticks_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  for (int i = 3; i <= 22; i++) fields >> field;
  return std::strtoull(field.c_str(), nullptr, 10);
}

// Of both kinds of counters: up to 64 pages in each thread before 6.2, since then a batch per CPU.
uint64_t approximation_bytes(uint32_t threads) {
  auto cpus = static_cast<uint64_t>(get_nprocs_conf());
  uint64_t pages = std::max(cpus * std::max<uint64_t>(32, 2 * cpus), uint64_t{64} * threads);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

class Tasks : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* operation : {"touch 2000", "open 700", "threads 3"}) program_.tell(operation);
    std::vector<model::ProcessSample> all = processes(events_);
    auto found = std::ranges::find(all, program_.pid(), &model::ProcessSample::pid);
    ASSERT_NE(found, all.end());
    seen_ = *found;
  }
  void expect_near(uint64_t bytes, const std::string& key) {
    uint64_t truth = status_bytes(program_.pid(), key);
    EXPECT_LE(std::max(bytes, truth) - std::min(bytes, truth), approximation_bytes(seen_.threads))
        << key << ": " << bytes << " against " << truth;
  }

  source::KernelEvents& events_ = shared_events();
  source::OwnCgroup cgroup_ = make_cgroup("tasks");
  VmOps program_{cgroup_};
  model::ProcessSample seen_;
};

TEST_F(Tasks, SaysWhoItIs) {
  EXPECT_EQ(seen_.comm, "vmops");
  EXPECT_EQ(seen_.parent_pid, getpid());
  EXPECT_EQ(seen_.cgroup, inode_of(directory_of(cgroup_)));
  uint64_t tick_ns = 1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  EXPECT_EQ(seen_.start_ns / tick_ns, start_ticks_of(program_.pid()));
}

TEST_F(Tasks, CountsExactly) {
  EXPECT_EQ(seen_.threads, 4u);
  EXPECT_EQ(seen_.open_files, open_files_of(program_.pid()));
  EXPECT_GE(seen_.open_files, 700u);
  EXPECT_EQ(seen_.virtual_bytes, status_bytes(program_.pid(), "VmSize"));
  EXPECT_EQ(seen_.data_virtual_bytes, status_bytes(program_.pid(), "VmData"));
}

TEST_F(Tasks, KnowsTheClassesWithinTheKernelsApproximation) {
  EXPECT_GE(seen_.anon_bytes + approximation_bytes(seen_.threads),
            2000u * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  expect_near(seen_.anon_bytes, "RssAnon");
  expect_near(seen_.file_bytes, "RssFile");
  expect_near(seen_.shmem_bytes, "RssShmem");
  expect_near(seen_.swap_bytes, "VmSwap");
}

TEST_F(Tasks, TellsEachProcessOnceAndNoKernelThread) {
  std::vector<model::ProcessSample> all = processes(events_);
  std::vector<int> pids;
  for (const model::ProcessSample& one : all) pids.push_back(one.pid);
  std::ranges::sort(pids);
  EXPECT_EQ(std::ranges::adjacent_find(pids), pids.end());
  EXPECT_TRUE(std::ranges::binary_search(pids, getpid()));
  EXPECT_FALSE(std::ranges::binary_search(pids, 2)) << "kthreadd";
}

}  // namespace
}  // namespace oomen::truth
