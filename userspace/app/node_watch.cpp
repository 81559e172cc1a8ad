#include "app/node_watch.h"

#include <unordered_map>

#include "base/clock.h"

namespace oomen::app {
namespace {

constexpr uint64_t kSecond_ns = 1'000'000'000;
constexpr uint64_t kPassEvery_ns = 10 * kSecond_ns;
constexpr uint64_t kWalkEvery_ns = 60 * kSecond_ns;  // against births that no event told of
constexpr uint64_t kWalkEveryWithoutEvents_ns = 2 * kSecond_ns;

source::KernelEventsOptions kernel_options(const WatchOptions& options,
                                           const source::MemoryHierarchy& hierarchy) {
  source::KernelEventsOptions kernel;
  kernel.enabled = options.bpf;
  kernel.syscall_tracepoints = options.syscall_tracepoints;
  kernel.only_growth_rung = options.only_growth_rung;
  kernel.memory_hierarchy_id = hierarchy.hierarchy_id;
  return kernel;
}

}  // namespace

NodeWatch::NodeWatch(WatchOptions options, source::MemoryHierarchy hierarchy, Tell tell)
    : options_(std::move(options)),
      hierarchy_(std::move(hierarchy)),
      tell_(std::move(tell)),
      kernel_(kernel_options(options_, hierarchy_)),
      ceilings_(hierarchy_),
      census_(make_census()),
      deaths_(make_death_watch()) {
  deaths_.events_tell_of_kills = hook_works("mark_victim");
}

Census NodeWatch::make_census() {
  auto found = [this](WatchedContainer& watched) {
    if (watched.has_fresh_classes()) judge(watched, base::boottime_ns());
    killed_in_.push_back(watched.container().id);  // it may have killed before it was met
    news_ = true;
    this->tell(Notice::Kind::kContainerFound, watched);
  };
  auto left = [this](WatchedContainer& watched) {
    news_ = true;
    this->tell(Notice::Kind::kContainerGone, watched);
  };
  auto id_is_free = [this](model::CgroupId id) {
    ceilings_.forget(id);
    kernel_.forget(id);
  };
  CensusOptions options{options_.cgroup_root, options_.sensitivity, options_.pod_logs_dir,
                        hook_works("cgroup") && hook_works("tasks")};
  return Census(std::move(options), hierarchy_, found, left, id_is_free);
}

DeathWatch NodeWatch::make_death_watch() {
  auto tell = [this](const std::shared_ptr<const model::Autopsy>& autopsy, bool completed) {
    news_ = true;
    tell_({completed ? Notice::Kind::kDeathCompleted : Notice::Kind::kDeath, nullptr, autopsy});
  };
  return DeathWatch([this](model::CgroupId cgroup) { return scene_of(cgroup); },
                    [this](model::CgroupId cgroup) { return census_.path_of(cgroup); }, tell);
}

void NodeWatch::tell(Notice::Kind kind, const WatchedContainer& container) {
  tell_({kind, &container, nullptr});
}

bool NodeWatch::hook_works(const std::string& name) const {
  for (const model::Hook& hook : kernel_.hooks())
    if (hook.name == name) return hook.attached;
  return false;
}

void NodeWatch::start() {
  started_wall_ns_ = base::walltime_ns();
  ceilings_.refresh(base::boottime_ns());
  walk();
  pass_over_processes();
  on_second();
  ready_ = true;
}

void NodeWatch::walk() {
  last_walk_ns_ = base::boottime_ns();
  if (!census_.walk()) ++errors_["cgroup_walk"];
}

void NodeWatch::pass_over_processes() {
  last_pass_ns_ = base::boottime_ns();
  auto processes = kernel_.read_processes();
  if (!processes) {
    if (hook_works("tasks")) ++errors_["process_pass"];
    return;
  }
  std::unordered_map<model::CgroupId, std::vector<const model::ProcessSample*>> by_container;
  for (const auto& process : *processes) {
    census_.meet(process.cgroup);
    if (auto* watched = census_.above(process.cgroup))
      by_container[watched->container().id].push_back(&process);
  }
  std::vector<model::CgroupId> empty;
  for (const auto& [id, watched] : census_.containers()) {
    if (by_container[id].empty() && watched->has_been_empty()) empty.push_back(id);
    watched->take_processes(by_container[id]);
  }
  for (model::CgroupId id : empty) census_.leave(id);
  for (const auto& growth : kernel_.growth_totals())
    if (auto* watched = census_.above(growth.cgroup)) watched->take_growth(growth);
}

void NodeWatch::on_kernel_events() {
  ++wakeups_;
  kernel_.drain([this](const model::KernelEvent& event) { on_event(event); });
  if (census_.walk_wanted()) walk();
  // The kernel counts a kill before it marks the victim: the second witness can be asked at once,
  // and must be, since the container may be removed any moment.
  for (model::CgroupId id : std::exchange(killed_in_, {})) check_kill_counter(id);
}

void NodeWatch::on_event(const model::KernelEvent& event) {
  if (const auto* made = std::get_if<model::CgroupMade>(&event)) {
    census_.made(*made);
  } else if (const auto* removed = std::get_if<model::CgroupRemoved>(&event)) {
    census_.removed(removed->id);
  } else if (const auto* exec = std::get_if<model::ProcessExec>(&event)) {
    census_.meet(exec->cgroup);
    if (auto* watched = census_.above(exec->cgroup)) watched->see_exec(*exec);
  } else if (const auto* growth = std::get_if<model::Growth>(&event)) {
    if (auto* watched = census_.above(growth->cgroup)) watched->take_growth(*growth);
  } else if (const auto* victim = std::get_if<model::OomVictim>(&event)) {
    if (victim->cgroup) census_.meet(*victim->cgroup);
    deaths_.see(*victim);
    if (victim->cgroup)
      if (auto* watched = census_.above(*victim->cgroup))
        killed_in_.push_back(watched->container().id);
  } else if (const auto* kill = std::get_if<model::KillSent>(&event)) {
    deaths_.see(*kill);
  } else if (const auto* exit = std::get_if<model::ProcessExit>(&event)) {
    deaths_.see(*exit);
  }
}

void NodeWatch::on_file_events() {
  ++wakeups_;
  check_kill_counters(census_.changed_files());
}

void NodeWatch::check_kill_counters(const std::vector<model::CgroupId>& containers) {
  if (containers.empty()) return;
  // Events of the same kills that wait in the ring come first: they know more than a counter.
  on_kernel_events();
  for (model::CgroupId id : containers) check_kill_counter(id);
}

void NodeWatch::check_kill_counter(model::CgroupId container) {
  WatchedContainer* watched = census_.find(container);
  if (!watched) return;
  auto events = watched->handle().events();
  if (!events) return;
  uint64_t before = watched->oom_kills_known.value_or(events->oom_kill);
  watched->oom_kills_known = events->oom_kill;
  if (events->oom_kill > before)
    deaths_.see_counter(container, hierarchy_.is_v2() ? "memory.events" : "memory.oom_control",
                        events->oom_kill - before, base::boottime_ns());
}

std::optional<DeathScene> NodeWatch::scene_of(model::CgroupId cgroup) {
  WatchedContainer* watched = census_.above(cgroup);
  if (!watched) return std::nullopt;
  auto lineage = census_.lineage(cgroup);
  DeathScene scene;
  scene.container = watched->container();
  scene.victim_cgroup_path = lineage.front()->path;
  scene.levels = ceilings_.at_death(lineage);
  auto owner = engine::find_limit_owner(scene.levels);
  scene.kills_as_group =
      ceilings_.kills_as_group(lineage, owner ? scene.levels[*owner].cgroup_path : "/");
  scene.main_pid = watched->main_pid();
  scene.forecast = watched->assessment();
  if (watched->assessment().firing)
    scene.first_alert_ns = static_cast<uint64_t>(watched->assessment().firing_since_s * 1e9);
  scene.last_minutes.assign(watched->history().begin(), watched->history().end());
  scene.processes = watched->processes();
  return scene;
}

void NodeWatch::adopt(model::CgroupId cgroup, int pid) {
  census_.meet(cgroup);
  WatchedContainer* watched = census_.find(cgroup);
  if (!watched) return;
  watched->set_main_pid(pid);
  watched->container().birth_observed = true;
}

void NodeWatch::judge(WatchedContainer& watched, uint64_t now_ns) {
  double own_bytes = static_cast<double>(*watched.unreclaimable_bytes());
  model::Assessment before = watched.assessment();
  watched.judge(ceilings_.choose(census_.lineage(watched.container().id), own_bytes, now_ns,
                                 watched.container().birth_observed));
  const model::Assessment& after = watched.assessment();
  if (after.firing != before.firing) {
    news_ = true;
    tell(after.firing ? Notice::Kind::kAlertStarted : Notice::Kind::kAlertEnded, watched);
  } else if (after.firing && after.severity != before.severity) {
    news_ = true;
    tell(Notice::Kind::kSeverityChanged, watched);
  } else if (after.verdict != before.verdict) {
    tell(Notice::Kind::kVerdictChanged, watched);
  }
}

void NodeWatch::on_second() {
  ++wakeups_;
  uint64_t now = last_turn_ns_ = base::boottime_ns();
  on_kernel_events();
  uint64_t lost = lost_births();
  bool walk_due =
      now - last_walk_ns_ >= (hook_works("cgroup") ? kWalkEvery_ns : kWalkEveryWithoutEvents_ns);
  if (std::exchange(births_lost_, lost) != lost || walk_due) walk();
  if (now - last_pass_ns_ >= kPassEvery_ns) pass_over_processes();
  census_.meet_young();
  ceilings_.refresh(now);
  read_containers(now);
  deaths_.tick(now);
}

void NodeWatch::read_containers(uint64_t now_ns) {
  std::vector<model::CgroupId> gone, counters_due;
  for (const auto& [id, watched] : census_.containers()) {
    if (!watched->read(now_ns, errors_["container_read"])) {
      gone.push_back(id);
      continue;
    }
    const model::Container& container = watched->container();
    if (container.namespace_name.empty() && !container.identity.container_id.empty())
      census_.name(*watched);
    if (!watched->has_fresh_classes()) continue;
    judge(*watched, now_ns);
    // v1 notifies of nothing: its counter is read at the pace of classes.
    if (!hierarchy_.is_v2()) counters_due.push_back(id);
  }
  check_kill_counters(counters_due);
  for (model::CgroupId id : gone) census_.leave(id);
}

}  // namespace oomen::app
