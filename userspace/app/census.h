// Which containers there are: every cgroup of the memory hierarchy, and a watch over each that is a
// container.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "app/cgroup_registry.h"
#include "app/watched_container.h"
#include "source/file_watches.h"

namespace oomen::app {

struct CensusOptions {
  std::string cgroup_root;  // "" all; else only containers below this path
  double sensitivity = 1;
  std::string pod_logs_dir;
  bool births_are_told = false;  // by the kernel's events: then a cgroup's age is known
};

class Census {
 public:
  using Containers = std::map<model::CgroupId, std::unique_ptr<WatchedContainer>>;
  using Tell = std::function<void(WatchedContainer&)>;
  // `found` is told of each new container after its first reading; `gone` of one that is left, and
  // of each other cgroup's id that is no more.
  Census(CensusOptions options, source::MemoryHierarchy hierarchy, Tell found, Tell left,
         std::function<void(model::CgroupId)> id_is_free);

  base::Result<void> walk();                 // all cgroups, as they are now
  void made(const model::CgroupMade& made);  // sets walk_wanted() when only a walk can place it
  void removed(model::CgroupId cgroup);
  void meet(
      model::CgroupId cgroup);  // a process was seen in it: its container is watched from now on
  void meet_young();            // looks into cgroups made lately for a first process
  void leave(model::CgroupId container);
  void name(WatchedContainer& watched);  // again, while names are missing

  bool walk_wanted() const { return walk_wanted_; }
  void want_walk() { walk_wanted_ = true; }
  WatchedContainer* above(
      model::CgroupId cgroup);  // the container that this cgroup is or belongs to
  WatchedContainer* find(model::CgroupId container) const;
  const Containers& containers() const { return containers_; }
  std::vector<const source::CgroupEntry*> lineage(model::CgroupId cgroup) const {
    return registry_.lineage(cgroup);
  }
  std::string path_of(model::CgroupId cgroup) const;

  // v2 notifies of changes of memory.events.
  int poll_fd() const { return files_.poll_fd(); }
  std::vector<model::CgroupId> changed_files();
  uint64_t read_errors = 0;

 private:
  const source::CgroupEntry* container_entry(model::CgroupId cgroup) const;
  model::Container describe(const source::CgroupEntry& entry) const;
  void watch_events_file(const source::CgroupEntry& entry);

  CensusOptions options_;
  source::MemoryHierarchy hierarchy_;
  Tell found_, left_;
  std::function<void(model::CgroupId)> id_is_free_;
  CgroupRegistry registry_;
  Containers containers_;
  struct Young {
    uint64_t since_ns;
    bool born_under_watch;  // false: it was there before the agent
  };
  std::unordered_map<model::CgroupId, Young> young_;  // no process was seen in it yet
  bool walked_ = false;
  source::FileWatches files_;
  std::unordered_map<int, model::CgroupId> owner_of_file_;
  std::unordered_map<model::CgroupId, int> file_of_;
  bool walk_wanted_ = false;
};

}  // namespace oomen::app
