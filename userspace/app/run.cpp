// `oomen run`: a command in a memory cgroup of its own, watched to its end.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include "app/commands.h"
#include "app/loop.h"
#include "app/node_watch.h"
#include "app/report.h"
#include "base/clock.h"
#include "identity/cgroup_path.h"

namespace oomen::app {
namespace {

constexpr double kLineEvery_s = 2;
constexpr std::array kSignals{SIGCHLD, SIGTERM, SIGINT, SIGHUP};

struct Name {
  std::string namespace_name, pod;
};

base::Result<Name> name_of(const RunOptions& options) {
  if (options.name.empty()) {
    std::string command = options.command.front();
    std::string base_name = command.substr(command.rfind('/') + 1);
    for (char& c : base_name)
      if (c == '_') c = '-';
    return Name{"run", base_name};
  }
  size_t slash = options.name.find('/');
  bool fits = slash != std::string::npos && slash > 0 && slash + 1 < options.name.size() &&
              options.name.find('/', slash + 1) == std::string::npos &&
              options.name.find('_') == std::string::npos;
  if (!fits)
    return base::input_error("--name '" + options.name +
                             "': expected NAMESPACE/POD without '_', such as demo/leaky");
  return Name{options.name.substr(0, slash), options.name.substr(slash + 1)};
}

// A child that waits until it is told to become the command: it must be in its cgroup, with the
// limit on, before it allocates anything.
class HeldChild {
 public:
  static base::Result<HeldChild> fork(const std::vector<std::string>& command) {
    int gate[2];
    if (::pipe2(gate, O_CLOEXEC) != 0) return base::errno_error("pipe");
    HeldChild child;
    child.pid_ = ::fork();
    if (child.pid_ < 0) return base::errno_error("fork");
    if (child.pid_ == 0) {
      ::close(gate[1]);
      become(command, gate[0]);
    }
    ::close(gate[0]);
    child.gate_ = base::Fd(gate[1]);
    return child;
  }
  HeldChild(HeldChild&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)), gate_(std::move(other.gate_)) {}
  ~HeldChild() {
    if (pid_ <= 0 || !gate_.valid()) return;
    ::kill(pid_, SIGKILL);  // never released
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  void release() {
    char go = 1;
    (void)!::write(gate_.get(), &go, 1);
    gate_.reset();
  }

 private:
  HeldChild() = default;
  [[noreturn]] static void become(const std::vector<std::string>& command, int gate) {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a watcher that dies must not leave a leak behind
    char go = 0;
    if (::read(gate, &go, 1) != 1) ::_exit(125);
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    std::fprintf(stderr, "oomen: %s: %s\n", argv[0], std::strerror(errno));
    ::_exit(errno == ENOENT ? 127 : 126);
  }

  pid_t pid_ = 0;
  base::Fd gate_;
};

// Prints what happens to the one container; keeps the series for --save.
class RunTeller {
 public:
  explicit RunTeller(uint64_t start_ns) : start_ns_(start_ns) {}

  void hear(const Notice& notice) {
    if (notice.kind == Notice::Kind::kAlertStarted || notice.kind == Notice::Kind::kSeverityChanged)
      std::fprintf(stderr, "oomen: %s\n", alert_line(view_of(*notice.container), age_s()).c_str());
    if (notice.kind == Notice::Kind::kAlertEnded) std::fprintf(stderr, "oomen: alert over\n");
    if (notice.autopsy) autopsy_ = notice.autopsy;
  }

  void second(const WatchedContainer& container) {
    model::ContainerView view = view_of(container);
    if (view.latest.unreclaimable_bytes) keep(view);
    if (age_s() < next_line_s_) return;
    next_line_s_ += kLineEvery_s;
    std::fprintf(stderr, "oomen: %s\n", progress_line(view, age_s()).c_str());
  }

  void end() const {
    if (autopsy_) std::fprintf(stderr, "oomen: %s", autopsy_report(*autopsy_).c_str());
  }
  const std::shared_ptr<const model::Autopsy>& autopsy() const { return autopsy_; }
  const std::string& series() const { return series_; }

 private:
  static model::ContainerView view_of(const WatchedContainer& container) {
    return container.view(base::boottime_ns(), base::walltime_ns());
  }
  double age_s() const { return base::seconds(base::boottime_ns() - start_ns_); }
  void keep(const model::ContainerView& view) {
    char line[96];
    snprintf(line, sizeof line, "%.3f,%llu,", base::seconds(view.latest.time_ns - start_ns_),
             static_cast<unsigned long long>(*view.latest.unreclaimable_bytes));
    series_ += line + (view.ceiling ? std::to_string(view.ceiling->bytes) : std::string()) + "\n";
  }

  uint64_t start_ns_;
  double next_line_s_ = kLineEvery_s;
  std::shared_ptr<const model::Autopsy> autopsy_;
  std::string series_ = "time_s,bytes,limit_bytes\n";
};

int complain(const base::Error& error) {
  std::fprintf(stderr, "oomen: %s\n", error.message.c_str());
  return error.bad_input ? 2 : 125;
}

// Runs the loop until the child's end; its wait status.
int watch_to_the_end(NodeWatch& watch, RunTeller& teller, HeldChild& child,
                     model::CgroupId cgroup) {
  int status = 0;
  bool ended = false;
  Loop* running = nullptr;
  auto reap = [&] {
    if (::waitpid(child.pid(), &status, WNOHANG) != child.pid()) return;
    ended = true;
    running->stop();
  };
  Loop loop(
      [&] {
        watch.on_second();
        if (const WatchedContainer* container = watch.find(cgroup)) teller.second(*container);
      },
      {SIGCHLD, SIGTERM, SIGINT, SIGHUP},
      [&](int signal) { signal == SIGCHLD ? reap() : void(::kill(child.pid(), signal)); });
  running = &loop;
  loop.add(watch.kernel_events_fd(), [&] { watch.on_kernel_events(); });
  loop.add(watch.file_events_fd(), [&] { watch.on_file_events(); });
  child.release();
  loop.run([] {});
  // What the kernel said of the end is in the ring already: the exit came before the parent's
  // signal.
  watch.on_kernel_events();
  watch.on_file_events();
  watch.on_second();
  return status;
}

// Signals wait from before there is a child until the loop takes them: none finds half of a run.
void hold_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : kSignals) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

int run(const RunOptions& options) {
  hold_signals();
  auto name = name_of(options);
  if (!name) return complain(name.error());
  auto hierarchy = source::find_memory_hierarchy();
  if (!hierarchy) return complain(hierarchy.error());
  auto child = HeldChild::fork(options.command);
  if (!child) return complain(child.error());
  auto cgroup = source::OwnCgroup::create(
      *hierarchy, identity::run_cgroup_path(name->namespace_name, name->pod, child->pid()),
      options.limit_bytes);
  if (!cgroup) return complain(cgroup.error());
  if (auto attached = cgroup->attach(child->pid()); !attached) return complain(attached.error());

  WatchOptions watch_options;
  watch_options.bpf = options.bpf;
  watch_options.cgroup_root = cgroup->path();
  RunTeller teller(base::boottime_ns());
  NodeWatch watch(watch_options, *hierarchy, [&](const Notice& notice) { teller.hear(notice); });
  auto at_start = watch.snapshot();
  for (const std::string& loss : at_start->status.degraded_because)
    std::fprintf(stderr, "oomen: without %s\n", loss.c_str());
  watch.start();
  watch.adopt(cgroup->id(), child->pid());
  int status = watch_to_the_end(watch, teller, *child, cgroup->id());
  teller.end();
  if (!options.save_file.empty())
    if (auto saved = base::write_file_atomically(options.save_file, teller.series()); !saved)
      std::fprintf(stderr, "oomen: %s\n", saved.error().message.c_str());
  return engine::shell_exit_code(status);
}

}  // namespace oomen::app
