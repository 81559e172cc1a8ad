#include "app/cgroup_registry.h"

namespace oomen::app {

std::vector<model::CgroupId> CgroupRegistry::replace(
    const std::vector<source::CgroupEntry>& found) {
  std::unordered_map<model::CgroupId, source::CgroupEntry> fresh;
  fresh.reserve(found.size());
  for (const auto& entry : found) fresh.emplace(entry.id, entry);
  std::vector<model::CgroupId> gone;
  for (const auto& [id, entry] : entries_)
    if (!fresh.contains(id)) gone.push_back(id);
  entries_ = std::move(fresh);
  return gone;
}

bool CgroupRegistry::add(model::CgroupId id, model::CgroupId parent, const std::string& name) {
  const source::CgroupEntry* above = find(parent);
  if (!above) return false;
  entries_[id] = {id, parent, (above->path == "/" ? "" : above->path) + "/" + name};
  return true;
}

void CgroupRegistry::remove(model::CgroupId id) { entries_.erase(id); }

const source::CgroupEntry* CgroupRegistry::find(model::CgroupId id) const {
  auto at = entries_.find(id);
  return at == entries_.end() ? nullptr : &at->second;
}

std::vector<const source::CgroupEntry*> CgroupRegistry::lineage(model::CgroupId id) const {
  std::vector<const source::CgroupEntry*> line;
  for (const auto* entry = find(id); entry; entry = entry->parent ? find(entry->parent) : nullptr)
    line.push_back(entry);
  return line;
}

bool CgroupRegistry::below(const std::string& path, const std::string& top) const {
  if (top.empty() || top == "/" || path == top) return true;
  return path.size() > top.size() && path.starts_with(top) && path[top.size()] == '/';
}

}  // namespace oomen::app
