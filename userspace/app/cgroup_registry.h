// All cgroups of the memory hierarchy by id, with their place in it. Bounded: an id leaves with its
// cgroup.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "source/cgroup_walk.h"

namespace oomen::app {

class CgroupRegistry {
 public:
  // Takes over what a walk found; returns the ids that were known and are no longer there.
  std::vector<model::CgroupId> replace(const std::vector<source::CgroupEntry>& found);
  // One birth. False when the parent is not known: then only a walk can place it.
  bool add(model::CgroupId id, model::CgroupId parent, const std::string& name);
  void remove(model::CgroupId id);

  const source::CgroupEntry* find(model::CgroupId id) const;
  // `id` and what is above it, nearest first, the root of the hierarchy last.
  std::vector<const source::CgroupEntry*> lineage(model::CgroupId id) const;
  bool below(const std::string& path, const std::string& top) const;  // `path` is `top` or under it
  const std::unordered_map<model::CgroupId, source::CgroupEntry>& all() const { return entries_; }

 private:
  std::unordered_map<model::CgroupId, source::CgroupEntry> entries_;
};

}  // namespace oomen::app
