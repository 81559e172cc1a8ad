// The limits above each container, and which of them bites first.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/cgroup_registry.h"
#include "app/watched_container.h"
#include "engine/death.h"
#include "source/meminfo.h"

namespace oomen::app {

class Ceilings {
 public:
  explicit Ceilings(const source::MemoryHierarchy& hierarchy) : hierarchy_(hierarchy) {}

  // Every level is read again when it was not for ten seconds; the node at each call.
  void refresh(uint64_t now_ns);
  // The nearest ceiling of a container whose unreclaimable memory is `own_bytes`. Of a `newborn`,
  // all that its counters show happened under watch.
  std::optional<CeilingChoice> choose(const std::vector<const source::CgroupEntry*>& lineage,
                                      double own_bytes, uint64_t now_ns, bool newborn);
  // The chain at a death: limits, usage now, and the counters' growth since last known. Remembers
  // the new counters.
  std::vector<engine::LimitLevel> at_death(const std::vector<const source::CgroupEntry*>& lineage);
  bool kills_as_group(const std::vector<const source::CgroupEntry*>& lineage,
                      const std::string& owner_path);
  void forget(model::CgroupId id) { levels_.erase(id); }

 private:
  struct Level {
    source::CgroupHandle handle;
    std::string name;
    uint64_t read_ns = 0;
    std::optional<uint64_t> limit_bytes;
    double unreclaimable_bytes = 0;  // of all below it; only where there is a limit
    std::optional<uint64_t> ooms, limit_hits;
  };
  Level* level_of(const source::CgroupEntry& entry, bool is_container);
  void read(Level& level, uint64_t now_ns);
  void remember_counters(Level& level);

  source::MemoryHierarchy hierarchy_;
  std::unordered_map<model::CgroupId, Level> levels_;
  source::Meminfo meminfo_;
  std::optional<source::NodeMemory> node_;
};

}  // namespace oomen::app
