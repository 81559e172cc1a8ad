#include "support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/clock.h"

namespace oomen::truth {
namespace {

constexpr uint64_t kPatience_ns = 10'000'000'000;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "truth: %s\n", what.c_str());
  std::abort();
}

// Beside this program, or in programs/ there.
std::string program(const std::string& name) {
  auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  auto built = here / "programs" / name;
  return std::filesystem::exists(built) ? built : here / name;
}

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) give_up("no pipe");
    read_end = base::Fd(ends[0]);
    write_end = base::Fd(ends[1]);
  }
  base::Fd read_end, write_end;
};

// In the child: nothing but system calls until exec.
[[noreturn]] void run_when_released(int go, int in, int out, const char* path) {
  char byte;
  if (read(go, &byte, 1) != 1) _exit(98);
  dup2(in, 0);
  dup2(out, 1);
  char* arguments[] = {const_cast<char*>("vmops"), nullptr};
  execv(path, arguments);
  _exit(97);
}

}  // namespace

source::MemoryHierarchy hierarchy() {
  auto found = source::find_memory_hierarchy();
  if (!found) give_up(found.error().message);
  return *found;
}

model::CgroupId inode_of(const std::string& directory) {
  struct stat status {};
  return ::stat(directory.c_str(), &status) == 0 ? status.st_ino : 0;
}

std::string directory_of(const source::OwnCgroup& cgroup) {
  return hierarchy().mount + cgroup.path();
}

source::OwnCgroup make_cgroup(const std::string& name, std::optional<uint64_t> limit_bytes) {
  std::string path = "oomen-truth-" + std::to_string(getpid()) + "-" + name;
  auto made = source::OwnCgroup::create(hierarchy(), path, limit_bytes);
  if (!made) give_up(made.error().message);
  return std::move(*made);
}

source::KernelEventsOptions eager_options(const std::string& growth_rung) {
  source::KernelEventsOptions options;
  options.only_growth_rung = growth_rung;
  options.memory_hierarchy_id = hierarchy().hierarchy_id;
  options.growth_quantum_bytes = 0;
  return options;
}

source::KernelEvents& shared_events() {
  static source::KernelEvents events(eager_options());
  return events;
}

const model::Hook& hook(const source::KernelEvents& events, const std::string& name) {
  for (const model::Hook& one : events.hooks())
    if (one.name == name) return one;
  give_up("no hook " + name);
}

int64_t growth_of(source::KernelEvents& events, model::CgroupId cgroup) {
  for (const model::Growth& growth : events.growth_totals())
    if (growth.cgroup == cgroup) return growth.total_bytes;
  return 0;
}

uint64_t loss_of(const source::KernelEvents& events, const std::string& name) {
  for (const model::Counter& counter : events.losses())
    if (counter.name == name) return counter.value;
  give_up("no loss " + name);
}

std::vector<model::ProcessSample> processes(source::KernelEvents& events) {
  auto samples = events.read_processes();
  if (!samples) give_up(samples.error().message);
  return std::move(*samples);
}

bool Inbox::wait_for(const std::function<bool(const model::KernelEvent&)>& wanted) {
  for (uint64_t end = base::boottime_ns() + kPatience_ns; base::boottime_ns() < end;) {
    while (!waiting_.empty()) {
      model::KernelEvent next = std::move(waiting_.front());
      waiting_.pop_front();
      if (wanted(next)) return true;
    }
    pollfd ready{events_.poll_fd(), POLLIN, 0};
    poll(&ready, 1, 100);
    events_.drain([&](const model::KernelEvent& event) { waiting_.push_back(event); });
  }
  return false;
}

VmOps::VmOps(const source::OwnCgroup& cgroup) {
  Pipe go, in, out;
  std::string path = program("vmops");
  main_ = fork();
  if (main_ < 0) give_up("no fork");
  if (main_ == 0)
    run_when_released(go.read_end.get(), in.read_end.get(), out.write_end.get(), path.c_str());
  if (auto attached = cgroup.attach(main_); !attached) {
    kill(main_, SIGKILL);
    give_up(attached.error().message);
  }
  if (write(go.write_end.get(), "g", 1) != 1) give_up("no release");
  to_ = std::move(in.write_end);
  from_ = std::move(out.read_end);
  out.write_end.reset();
  hear();
}

VmOps::~VmOps() {
  to_.reset();  // the end of its input is the end of it
  if (!ended_) wait_end();
}

void VmOps::tell_only(const std::string& operation) {
  std::string line = operation + "\n";
  if (write(to_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    give_up("vmops is gone");
}

int64_t VmOps::hear() {
  std::string line;
  for (char byte = 0; byte != '\n'; line += byte)
    if (read(from_.get(), &byte, 1) != 1) give_up("vmops ended instead of answering");
  long data_kib = 0;
  if (std::sscanf(line.c_str(), "%d %ld", &pid_, &data_kib) != 2) give_up("vmops said " + line);
  return data_kib * 1024;
}

int64_t VmOps::tell(const std::string& operation) {
  tell_only(operation);
  return hear();
}

int VmOps::wait_end() {
  int status = 0;
  waitpid(main_, &status, 0);
  ended_ = true;
  return status;
}

}  // namespace oomen::truth
