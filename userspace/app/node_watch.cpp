#include "app/node_watch.h"

#include <sys/resource.h>

#include <fstream>

#include "base/clock.h"
#include "identity/cgroup_path.h"
#include "identity/log_name.h"
#include "source/log_links.h"

namespace oomen::app {
namespace {

constexpr uint64_t kSecond_ns = 1'000'000'000;
constexpr uint64_t kPassEvery_ns = 10 * kSecond_ns;
constexpr uint64_t kWalkEvery_ns = 60 * kSecond_ns;  // against births that no event told of
constexpr uint64_t kWalkEveryWithoutEvents_ns = 2 * kSecond_ns;
constexpr uint64_t kYoungFor_ns = 60 * kSecond_ns;

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
      deaths_([this](model::CgroupId cgroup) { return scene_of(cgroup); },
              [this](const std::shared_ptr<const model::Autopsy>& autopsy, bool completed) {
                news_ = true;
                tell_({completed ? Notice::Kind::kDeathCompleted : Notice::Kind::kDeath, nullptr,
                       autopsy});
              }) {
  deaths_.set_path_of([this](model::CgroupId id) {
    const auto* entry = registry_.find(id);
    return entry ? entry->path : std::string();
  });
  births_by_events_ = hook_works("cgroup");
  processes_by_iterator_ = hook_works("tasks");
  deaths_.events_tell_of_kills = hook_works("mark_victim");
}

bool NodeWatch::hook_works(const std::string& name) const {
  for (const model::Hook& hook : kernel_.hooks())
    if (hook.name == name) return hook.attached;
  return false;
}

int NodeWatch::kernel_events_fd() const { return kernel_.poll_fd(); }
int NodeWatch::file_events_fd() const { return files_.poll_fd(); }

void NodeWatch::start() {
  started_wall_ns_ = base::walltime_ns();
  walk();
  pass_over_processes();
  on_second();
  ready_ = true;
}

// --- which containers there are ---

void NodeWatch::walk() {
  last_walk_ns_ = base::boottime_ns();
  walk_wanted_ = false;
  auto found = source::walk_cgroups(hierarchy_, "/");
  if (!found) {
    ++errors_["cgroup_walk"];
    return;
  }
  for (model::CgroupId gone : registry_.replace(*found)) unwatch(gone);
  if (!processes_by_iterator_ || !births_by_events_)
    for (const auto& entry : *found)
      if (!watched_.contains(entry.id)) young_.emplace(entry.id, last_walk_ns_);
}

void NodeWatch::pass_over_processes() {
  last_pass_ns_ = base::boottime_ns();
  auto processes = kernel_.read_processes();
  if (!processes) {
    if (processes_by_iterator_) ++errors_["process_pass"];
    return;
  }
  std::unordered_map<model::CgroupId, std::vector<const model::ProcessSample*>> by_container;
  for (const auto& process : *processes) {
    watch_container_of(process.cgroup);
    if (WatchedContainer* watched = watched_above(process.cgroup))
      by_container[watched->container().id].push_back(&process);
  }
  std::vector<model::CgroupId> empty;
  for (auto& [id, watched] : watched_) {
    if (by_container[id].empty() && watched->has_been_empty()) empty.push_back(id);
    watched->take_processes(by_container[id]);
  }
  for (model::CgroupId id : empty) unwatch(id);
  for (const auto& growth : kernel_.growth_totals())
    if (WatchedContainer* watched = watched_above(growth.cgroup)) watched->take_growth(growth);
}

// Cgroups that were made lately: the first process may come in without an exec (a fork that was
// moved there).
void NodeWatch::find_young() {
  uint64_t now = base::boottime_ns();
  std::vector<model::CgroupId> done;
  for (const auto& [id, since] : young_) {
    const auto* entry = registry_.find(id);
    if (!entry || watched_.contains(id) || (births_by_events_ && now - since > kYoungFor_ns)) {
      done.push_back(id);
      continue;
    }
    auto handle = source::CgroupHandle::open(hierarchy_, entry->path);
    if (!handle) continue;
    auto pids = handle->process_ids();
    if (pids && !pids->empty()) done.push_back(id);
  }
  for (model::CgroupId id : done) {
    young_.erase(id);
    watch_container_of(id);
  }
}

WatchedContainer* NodeWatch::watched_above(model::CgroupId cgroup) {
  for (const auto* entry = registry_.find(cgroup); entry; entry = registry_.find(entry->parent)) {
    auto at = watched_.find(entry->id);
    if (at != watched_.end()) return at->second.get();
  }
  return nullptr;
}

const WatchedContainer* NodeWatch::find(model::CgroupId cgroup) const {
  auto at = watched_.find(cgroup);
  return at == watched_.end() ? nullptr : at->second.get();
}

void NodeWatch::set_main_pid(model::CgroupId cgroup, int pid) {
  watch_container_of(cgroup);
  if (auto at = watched_.find(cgroup); at != watched_.end()) at->second->set_main_pid(pid);
}

void NodeWatch::watch_container_of(model::CgroupId cgroup) {
  if (watched_.contains(cgroup)) return;
  auto lineage = registry_.lineage(cgroup);
  if (lineage.empty() || lineage.front()->path == "/") return;
  const source::CgroupEntry* top = lineage.front();
  auto identity = identity::identify_cgroup(top->path);
  // Cgroups that a container makes below itself belong to it.
  for (const auto* above : lineage)
    if (!identity.container_id.empty() &&
        identity::identify_cgroup(above->path).container_id == identity.container_id)
      top = above;
  if (watched_.contains(top->id) || identity.kind == "helper" ||
      !registry_.below(top->path, options_.cgroup_root))
    return;
  auto handle = source::CgroupHandle::open(hierarchy_, top->path);
  if (!handle || handle->id() != top->id)
    return;  // gone, or made again meanwhile: its own event tells

  model::Container container;
  container.id = top->id;
  container.cgroup_path = top->path;
  container.identity = identity;
  auto young = young_.find(top->id);
  container.birth_observed = young != young_.end() && births_by_events_;
  container.birth_ns = young != young_.end() ? young->second : base::boottime_ns();
  auto watched = std::make_unique<WatchedContainer>(std::move(container), std::move(*handle),
                                                    options_.sensitivity);
  name_container(*watched);
  if (auto events = watched->handle().events()) watched->oom_kills_known = events->oom_kill;
  if (hierarchy_.is_v2())
    if (auto file = files_.add(hierarchy_.mount + top->path + "/memory.events")) {
      file_watch_owner_[*file] = top->id;
      file_watch_of_[top->id] = *file;
    }
  uint64_t now = base::boottime_ns();
  if (!watched->read(now, errors_["container_read"])) return;
  auto& placed = watched_[top->id] = std::move(watched);
  if (placed->has_fresh_classes()) judge(*placed, now);
  young_.erase(top->id);
  news_ = true;
  tell_({Notice::Kind::kContainerFound, placed.get(), nullptr});
}

void NodeWatch::unwatch(model::CgroupId cgroup) {
  young_.erase(cgroup);
  ceilings_.forget(cgroup);
  kernel_.forget(cgroup);
  if (auto file = file_watch_of_.find(cgroup); file != file_watch_of_.end()) {
    files_.remove(file->second);
    file_watch_owner_.erase(file->second);
    file_watch_of_.erase(file);
  }
  auto at = watched_.find(cgroup);
  if (at == watched_.end()) return;
  tell_({Notice::Kind::kContainerGone, at->second.get(), nullptr});
  watched_.erase(at);
  news_ = true;
}

void NodeWatch::name_container(WatchedContainer& watched) {
  model::Container& container = watched.container();
  if (auto run = identity::run_name(container.cgroup_path)) {
    container.namespace_name = run->namespace_name;
    container.pod = container.container = run->pod;
    return;
  }
  const std::string& id = container.identity.container_id;
  if (id.empty()) {
    container.pod = container.container = identity::plain_name(container.cgroup_path);
    return;
  }
  auto link =
      identity::parse_log_name(source::find_log_link(options_.pod_logs_dir + "/../containers", id));
  if (link) {
    container.namespace_name = link->namespace_name;
    container.pod = link->pod;
    container.container = link->container;
  } else {
    container.pod = container.identity.pod_uid;
    container.container = id.substr(0, 12);
  }
}

// --- what happens in them ---

void NodeWatch::on_kernel_events() {
  ++wakeups_;
  kernel_.drain([this](const model::KernelEvent& event) { on_event(event); });
  if (walk_wanted_) walk();
}

void NodeWatch::on_event(const model::KernelEvent& event) {
  if (const auto* made = std::get_if<model::CgroupMade>(&event)) {
    if (!registry_.add(made->id, made->parent, made->name)) walk_wanted_ = true;
    young_[made->id] = made->time_ns;
  } else if (const auto* removed = std::get_if<model::CgroupRemoved>(&event)) {
    unwatch(removed->id);
    registry_.remove(removed->id);
  } else if (const auto* exec = std::get_if<model::ProcessExec>(&event)) {
    watch_container_of(exec->cgroup);
    if (WatchedContainer* watched = watched_above(exec->cgroup)) watched->see_exec(*exec);
  } else if (const auto* growth = std::get_if<model::Growth>(&event)) {
    if (WatchedContainer* watched = watched_above(growth->cgroup)) watched->take_growth(*growth);
  } else if (const auto* victim = std::get_if<model::OomVictim>(&event)) {
    deaths_.see(*victim);
  } else if (const auto* kill = std::get_if<model::KillSent>(&event)) {
    deaths_.see(*kill);
  } else if (const auto* exit = std::get_if<model::ProcessExit>(&event)) {
    deaths_.see(*exit);
  }
}

void NodeWatch::on_file_events() {
  ++wakeups_;
  std::vector<model::CgroupId> changed;
  files_.drain([&](int file) {
    auto owner = file_watch_owner_.find(file);
    if (owner != file_watch_owner_.end()) changed.push_back(owner->second);
  });
  check_kill_counters(changed);
}

void NodeWatch::check_kill_counters(const std::vector<model::CgroupId>& containers) {
  // Events of the same kills that wait in the ring come first: they know more than a counter.
  on_kernel_events();
  uint64_t now = base::boottime_ns();
  for (model::CgroupId id : containers)
    if (auto at = watched_.find(id); at != watched_.end()) check_kill_counter(*at->second, now);
}

void NodeWatch::check_kill_counter(WatchedContainer& watched, uint64_t now_ns) {
  auto events = watched.handle().events();
  if (!events) return;
  uint64_t before = watched.oom_kills_known.value_or(events->oom_kill);
  watched.oom_kills_known = events->oom_kill;
  if (events->oom_kill > before)
    deaths_.see_counter(watched.container().id,
                        hierarchy_.is_v2() ? "memory.events" : "memory.oom_control",
                        events->oom_kill - before, now_ns);
}

std::optional<DeathScene> NodeWatch::scene_of(model::CgroupId cgroup) {
  WatchedContainer* watched = watched_above(cgroup);
  if (!watched) return std::nullopt;
  auto lineage = registry_.lineage(cgroup);
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

void NodeWatch::judge(WatchedContainer& watched, uint64_t now_ns) {
  double own_bytes = static_cast<double>(*watched.unreclaimable_bytes());
  bool fired = watched.assessment().firing;
  auto verdict = watched.assessment().verdict;
  watched.judge(ceilings_.choose(registry_.lineage(watched.container().id), own_bytes, now_ns));
  const model::Assessment& now = watched.assessment();
  if (now.firing != fired) {
    news_ = true;
    tell_(
        {now.firing ? Notice::Kind::kAlertStarted : Notice::Kind::kAlertEnded, &watched, nullptr});
  } else if (now.verdict != verdict) {
    tell_({Notice::Kind::kVerdictChanged, &watched, nullptr});
  }
}

void NodeWatch::on_second() {
  ++wakeups_;
  uint64_t now = last_turn_ns_ = base::boottime_ns();
  on_kernel_events();
  uint64_t lost = losses_of_births();
  if (lost != births_lost_) walk_wanted_ = true;
  births_lost_ = lost;
  bool walk_due =
      now - last_walk_ns_ >= (births_by_events_ ? kWalkEvery_ns : kWalkEveryWithoutEvents_ns);
  if (walk_wanted_ || walk_due) walk();
  if (now - last_pass_ns_ >= kPassEvery_ns) pass_over_processes();
  find_young();
  ceilings_.refresh(now);
  std::vector<model::CgroupId> gone, counters_due;
  for (auto& [id, watched] : watched_) {
    if (!watched->read(now, errors_["container_read"])) {
      gone.push_back(id);
      continue;
    }
    if (watched->container().namespace_name.empty() &&
        !watched->container().identity.container_id.empty())
      name_container(*watched);
    if (!watched->has_fresh_classes()) continue;
    judge(*watched, now);
    // v1 notifies of nothing: its counter is read at the pace of classes.
    if (!hierarchy_.is_v2()) counters_due.push_back(id);
  }
  check_kill_counters(counters_due);
  for (model::CgroupId id : gone) unwatch(id);
  deaths_.tick(now);
}

uint64_t NodeWatch::losses_of_births() const {
  uint64_t sum = 0;
  for (const model::Counter& loss : kernel_.losses())
    if (loss.name == "cgroup" || loss.name == "exec") sum += loss.value;
  return sum;
}

// --- the picture of it ---

std::shared_ptr<model::Snapshot> NodeWatch::snapshot() const {
  auto picture = std::make_shared<model::Snapshot>();
  uint64_t boot_now = base::boottime_ns();
  picture->wall_time_ns = base::walltime_ns();
  picture->containers.reserve(watched_.size());
  for (const auto& [id, watched] : watched_)
    picture->containers.push_back(watched->view(boot_now, picture->wall_time_ns));
  picture->autopsies.assign(deaths_.autopsies().begin(), deaths_.autopsies().end());
  picture->last_kills = deaths_.last_kills();
  picture->status = status();
  return picture;
}

model::Status NodeWatch::status() const {
  model::Status status;
  status.version = OOMEN_VERSION;
  status.node = options_.node;
  status.cgroup_mode = source::name(hierarchy_.mode);
  status.started_wall_ns = started_wall_ns_;
  status.ready = ready_;
  status.hooks = kernel_.hooks();
  for (const model::Hook& hook : status.hooks)
    if (!hook.attached) status.degraded_because.push_back(hook.name + ": " + hook.reason);
  status.degraded = !status.degraded_because.empty();
  status.losses = kernel_.losses();
  for (const auto& [name, value] : errors_) status.errors.push_back({name, value});
  status.errors.push_back({"witness_disagreement", deaths_.disagreements()});
  status.containers = watched_.size();
  status.loop_wakeups = wakeups_;
  status.loop_heartbeat_s = base::seconds(last_turn_ns_);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  status.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                       static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  status.bpf_map_bytes = kernel_.map_bytes();
  return status;
}

}  // namespace oomen::app
