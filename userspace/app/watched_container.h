// One container under watch: its descriptors, its recent past and the engine over it.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/container_engine.h"
#include "engine/pace.h"
#include "model/snapshot.h"
#include "source/cgroup_handle.h"

namespace oomen::app {

// What the containers of a node have in common at one moment.
struct CeilingChoice {
  model::Ceiling ceiling;
  // The container's own unreclaimable memory at which that ceiling is reached if nobody else below
  // it grows.
  double effective_bytes = 0;
};

class WatchedContainer {
 public:
  WatchedContainer(model::Container container, source::CgroupHandle handle, double sensitivity);

  // The hot path, once a second: one read of usage; classes when their pace asks for it. False: the
  // cgroup is gone.
  bool read(uint64_t now_ns, uint64_t& counted_errors);
  bool has_fresh_classes() const {
    return classes_time_ns_ == latest_.time_ns && latest_.time_ns != 0;
  }
  // After fresh classes: the engine sees them together with the ceiling of that moment.
  void judge(const std::optional<CeilingChoice>& choice);

  void take_processes(const std::vector<const model::ProcessSample*>& processes);
  bool has_been_empty() const { return processes_known_ && process_count_ == 0; }
  void take_growth(const model::Growth& growth);
  void see_exec(const model::ProcessExec& exec);

  model::ContainerView view(uint64_t boot_now_ns, uint64_t wall_now_ns) const;

  model::Container& container() { return container_; }
  const model::Container& container() const { return container_; }
  source::CgroupHandle& handle() { return handle_; }
  const model::Assessment& assessment() const { return assessment_; }
  std::optional<uint64_t> unreclaimable_bytes() const { return unreclaimable_bytes_; }
  std::optional<model::Ceiling> ceiling() const {
    return ceiling_ ? std::optional(ceiling_->ceiling) : std::nullopt;
  }
  uint64_t usage_bytes() const { return latest_.usage_bytes; }
  const std::deque<model::UsagePoint>& history() const { return history_; }
  const std::vector<model::ProcessSample>& processes() const { return processes_; }
  std::optional<int> main_pid() const { return main_pid_; }
  std::optional<uint64_t> oom_kills_known;  // of memory.events, when last read
  void set_main_pid(int pid) { main_pid_ = pid; }

 private:
  engine::PaceFacts pace_facts(uint64_t now_ns) const;
  bool read_classes(uint64_t now_ns, uint64_t& counted_errors);
  std::vector<std::string> growing_classes() const;

  model::Container container_;
  source::CgroupHandle handle_;
  engine::ContainerEngine engine_;
  model::Assessment assessment_;
  model::Sample latest_;
  std::optional<model::MemoryClasses> classes_;
  std::optional<model::MemoryClasses> first_classes_;  // to say what grew since
  uint64_t classes_time_ns_ = 0;
  uint64_t usage_at_classes_ = 0;
  std::optional<uint64_t> unreclaimable_bytes_;
  std::optional<CeilingChoice> ceiling_;
  std::deque<model::UsagePoint> history_;
  std::vector<model::ProcessSample> processes_;  // the largest, newest pass
  uint32_t process_count_ = 0;
  uint64_t threads_ = 0, open_files_ = 0;
  bool processes_known_ = false;
  std::optional<int> main_pid_;
  std::optional<model::Growth> growth_, growth_base_;
};

}  // namespace oomen::app
