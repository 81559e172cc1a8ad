#include "app/census.h"

#include "base/clock.h"
#include "identity/cgroup_path.h"
#include "identity/log_name.h"
#include "source/log_links.h"

namespace oomen::app {
namespace {
constexpr uint64_t kYoungFor_ns = 60'000'000'000;
}

Census::Census(CensusOptions options, source::MemoryHierarchy hierarchy, Tell found, Tell left,
               std::function<void(model::CgroupId)> id_is_free)
    : options_(std::move(options)),
      hierarchy_(std::move(hierarchy)),
      found_(std::move(found)),
      left_(std::move(left)),
      id_is_free_(std::move(id_is_free)) {}

base::Result<void> Census::walk() {
  walk_wanted_ = false;
  auto found = source::walk_cgroups(hierarchy_, "/");
  if (!found) return std::move(found).error();
  uint64_t now = base::boottime_ns();
  for (const auto& entry : *found) {
    bool known = registry_.find(entry.id) != nullptr;
    // Nobody tells of births: each cgroup without a watch may have got its first process.
    bool look_again = !options_.births_are_told && !containers_.contains(entry.id);
    if (look_again || (walked_ && !known)) young_.try_emplace(entry.id, Young{now, walked_});
  }
  for (model::CgroupId gone : registry_.replace(*found)) leave(gone);
  walked_ = true;
  return {};
}

void Census::made(const model::CgroupMade& made) {
  if (!registry_.add(made.id, made.parent, made.name)) walk_wanted_ = true;
  young_[made.id] = {made.time_ns, true};
}

void Census::removed(model::CgroupId cgroup) {
  leave(cgroup);
  registry_.remove(cgroup);
}

void Census::leave(model::CgroupId cgroup) {
  young_.erase(cgroup);
  id_is_free_(cgroup);
  if (auto file = file_of_.find(cgroup); file != file_of_.end()) {
    files_.remove(file->second);
    owner_of_file_.erase(file->second);
    file_of_.erase(file);
  }
  auto at = containers_.find(cgroup);
  if (at == containers_.end()) return;
  left_(*at->second);
  containers_.erase(at);
}

// The first process may come in without an exec: a fork that was moved there.
void Census::meet_young() {
  uint64_t now = base::boottime_ns();
  std::vector<model::CgroupId> met, given_up;
  for (const auto& [id, young] : young_) {
    const auto* entry = registry_.find(id);
    if (!entry || containers_.contains(id) ||
        (options_.births_are_told && now - young.since_ns > kYoungFor_ns)) {
      given_up.push_back(id);
      continue;
    }
    auto handle = source::CgroupHandle::open(hierarchy_, entry->path);
    auto pids = handle ? handle->process_ids() : base::Result<std::vector<int>>(std::vector<int>{});
    if (pids && !pids->empty()) met.push_back(id);
  }
  for (model::CgroupId id : given_up) young_.erase(id);
  for (model::CgroupId id : met) meet(id);
}

WatchedContainer* Census::above(model::CgroupId cgroup) {
  for (const auto* entry = registry_.find(cgroup); entry; entry = registry_.find(entry->parent))
    if (auto at = containers_.find(entry->id); at != containers_.end()) return at->second.get();
  return nullptr;
}

WatchedContainer* Census::find(model::CgroupId container) const {
  auto at = containers_.find(container);
  return at == containers_.end() ? nullptr : at->second.get();
}

std::string Census::path_of(model::CgroupId cgroup) const {
  const auto* entry = registry_.find(cgroup);
  return entry ? entry->path : std::string();
}

// The cgroup whose watch covers this one: cgroups that a container makes below itself belong to it.
// Null for what is not watched at all.
const source::CgroupEntry* Census::container_entry(model::CgroupId cgroup) const {
  auto lineage = registry_.lineage(cgroup);
  if (lineage.empty() || lineage.front()->path == "/") return nullptr;
  auto identity = identity::identify_cgroup(lineage.front()->path);
  if (identity.kind == "helper") return nullptr;
  const source::CgroupEntry* top = lineage.front();
  if (!identity.container_id.empty())
    for (const auto* above : lineage)
      if (identity::identify_cgroup(above->path).container_id == identity.container_id) top = above;
  return registry_.below(top->path, options_.cgroup_root) ? top : nullptr;
}

model::Container Census::describe(const source::CgroupEntry& entry) const {
  model::Container container;
  container.id = entry.id;
  container.cgroup_path = entry.path;
  container.identity = identity::identify_cgroup(entry.path);
  auto young = young_.find(entry.id);
  container.birth_observed = young != young_.end() && young->second.born_under_watch;
  container.birth_ns = young != young_.end() ? young->second.since_ns : base::boottime_ns();
  return container;
}

void Census::meet(model::CgroupId cgroup) {
  if (containers_.contains(cgroup)) return;
  const source::CgroupEntry* entry = container_entry(cgroup);
  if (!entry || containers_.contains(entry->id)) return;
  auto handle = source::CgroupHandle::open(hierarchy_, entry->path);
  if (!handle || handle->id() != entry->id)
    return;  // gone, or made again meanwhile: its own event tells
  auto watched = std::make_unique<WatchedContainer>(describe(*entry), std::move(*handle),
                                                    options_.sensitivity);
  name(*watched);
  // Kills before the first look at a newborn are news; those of an old cgroup were told, or can't
  // be any more.
  auto events = watched->handle().events();
  if (watched->container().birth_observed)
    watched->oom_kills_known = 0;
  else if (events)
    watched->oom_kills_known = events->oom_kill;
  watch_events_file(*entry);
  if (!watched->read(base::boottime_ns(), read_errors)) return;
  auto& placed = containers_[entry->id] = std::move(watched);
  young_.erase(entry->id);
  found_(*placed);
}

void Census::watch_events_file(const source::CgroupEntry& entry) {
  if (!hierarchy_.is_v2()) return;
  auto file = files_.add(hierarchy_.mount + entry.path + "/memory.events");
  if (!file) return;  // its counter is still read at the pace of classes
  owner_of_file_[*file] = entry.id;
  file_of_[entry.id] = *file;
}

std::vector<model::CgroupId> Census::changed_files() {
  std::vector<model::CgroupId> changed;
  files_.drain([&](int file) {
    if (auto owner = owner_of_file_.find(file); owner != owner_of_file_.end())
      changed.push_back(owner->second);
  });
  return changed;
}

void Census::name(WatchedContainer& watched) {
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
  container.namespace_name = link ? link->namespace_name : "";
  container.pod = link ? link->pod : container.identity.pod_uid;
  container.container = link ? link->container : id.substr(0, 12);
}

}  // namespace oomen::app
