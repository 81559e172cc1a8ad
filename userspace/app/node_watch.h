// The one place where facts, identity, ceilings, engine and deaths are joined. Owned and driven by
// one thread.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/ceilings.h"
#include "app/census.h"
#include "app/death_watch.h"
#include "source/kernel_events.h"

namespace oomen::app {

struct WatchOptions {
  bool bpf = true;
  bool syscall_tracepoints = false;
  std::string only_growth_rung;
  std::string cgroup_root;  // "" all; else only below this path
  double sensitivity = 1;
  std::string pod_logs_dir;
  std::string node;
};

struct Notice {
  enum class Kind {
    kContainerFound,
    kContainerGone,
    kAlertStarted,
    kSeverityChanged,
    kAlertEnded,
    kVerdictChanged,
    kDeath,
    kDeathCompleted
  };
  Kind kind;
  const WatchedContainer* container = nullptr;    // absent for deaths
  std::shared_ptr<const model::Autopsy> autopsy;  // deaths alone
};

class NodeWatch {
 public:
  using Tell = std::function<void(const Notice&)>;
  NodeWatch(WatchOptions options, source::MemoryHierarchy hierarchy, Tell tell);

  void start();  // walks the hierarchy, first pass over processes
  int kernel_events_fd() const { return kernel_.poll_fd(); }  // −1 without BPF
  int file_events_fd() const { return census_.poll_fd(); }
  void on_kernel_events();
  void on_file_events();
  void on_second();
  // True once after anything that people should see at once.
  bool take_news() { return std::exchange(news_, false); }

  // `oomen run` knows its child better than any rule: its main process, and that it is newborn.
  void adopt(model::CgroupId cgroup, int pid);
  const WatchedContainer* find(model::CgroupId cgroup) const { return census_.find(cgroup); }
  std::shared_ptr<model::Snapshot> snapshot() const;

 private:
  Census make_census();
  DeathWatch make_death_watch();
  void walk();
  void pass_over_processes();
  void read_containers(uint64_t now_ns);
  void judge(WatchedContainer& watched, uint64_t now_ns);
  void check_kill_counters(const std::vector<model::CgroupId>& containers);
  void check_kill_counter(model::CgroupId container);
  void on_event(const model::KernelEvent& event);
  void tell(Notice::Kind kind, const WatchedContainer& container);
  std::optional<DeathScene> scene_of(model::CgroupId cgroup);
  model::Status status() const;
  bool hook_works(const std::string& name) const;
  uint64_t lost_births() const;

  WatchOptions options_;
  source::MemoryHierarchy hierarchy_;
  Tell tell_;
  source::KernelEvents kernel_;
  Ceilings ceilings_;
  Census census_;
  DeathWatch deaths_;
  std::vector<model::CgroupId>
      killed_in_;  // containers whose counters are to be asked after these events
  std::map<std::string, uint64_t> errors_;
  uint64_t started_wall_ns_ = 0, last_walk_ns_ = 0, last_pass_ns_ = 0, last_turn_ns_ = 0,
           wakeups_ = 0;
  uint64_t births_lost_ = 0;
  bool news_ = false, ready_ = false;
};

}  // namespace oomen::app
