#include "app/ceilings.h"

#include "identity/cgroup_path.h"

namespace oomen::app {
namespace {

constexpr uint64_t kReadEvery_ns = 10'000'000'000;

std::string level_name(const std::string& path, bool is_container) {
  std::string kind = identity::identify_cgroup(path).kind;
  if (is_container) return "container";
  return kind == "pod" || kind == "qos" || kind == "kubepods" ? kind : "cgroup";
}

std::optional<uint64_t> growth(std::optional<uint64_t> now, std::optional<uint64_t> before) {
  if (!now) return std::nullopt;
  return *now - std::min(*now, before.value_or(0));
}

}  // namespace

void Ceilings::refresh(uint64_t now_ns) {
  node_ = meminfo_.read();
  for (auto& [id, level] : levels_)
    if (now_ns - level.read_ns >= kReadEvery_ns) read(level, now_ns);
}

Ceilings::Level* Ceilings::level_of(const source::CgroupEntry& entry, bool is_container) {
  auto at = levels_.find(entry.id);
  if (at != levels_.end()) return &at->second;
  auto handle = source::CgroupHandle::open(hierarchy_, entry.path);
  if (!handle || handle->id() != entry.id) return nullptr;
  Level level{std::move(*handle), level_name(entry.path, is_container), 0, {}, 0, {}, {}};
  return &levels_.emplace(entry.id, std::move(level)).first->second;
}

void Ceilings::read(Level& level, uint64_t now_ns) {
  level.read_ns = now_ns;
  if (auto limit = level.handle.limit_bytes()) level.limit_bytes = *limit;
  if (!level.limit_bytes || level.name == "container") return;
  auto usage = level.handle.usage_bytes();
  auto classes = level.handle.classes();
  if (usage && classes)
    level.unreclaimable_bytes = static_cast<double>(model::unreclaimable_bytes(*usage, *classes));
}

void Ceilings::remember_counters(Level& level) {
  if (auto local = level.handle.local_events()) level.ooms = local->oom;
  level.limit_hits = level.handle.fail_count();
}

std::optional<CeilingChoice> Ceilings::choose(
    const std::vector<const source::CgroupEntry*>& lineage, double own_bytes, uint64_t now_ns,
    bool newborn) {
  std::optional<CeilingChoice> nearest;
  auto offer = [&](model::Ceiling ceiling, double effective_bytes) {
    if (!nearest || effective_bytes < nearest->effective_bytes)
      nearest = CeilingChoice{std::move(ceiling), effective_bytes};
  };
  for (size_t i = 0; i < lineage.size(); ++i) {
    Level* level = level_of(*lineage[i], i == 0);
    if (!level) continue;
    if (level->read_ns == 0) {
      read(*level, now_ns);
      if (i > 0 || !newborn) remember_counters(*level);
    }
    if (!level->limit_bytes) continue;
    double limit = static_cast<double>(*level->limit_bytes);
    offer({level->name, *level->limit_bytes, lineage[i]->path},
          i == 0 ? limit : own_bytes + limit - level->unreclaimable_bytes);
  }
  if (node_)
    offer({"node", node_->total_bytes, "/"},
          own_bytes + static_cast<double>(node_->available_bytes));
  return nearest;
}

std::vector<engine::LimitLevel> Ceilings::at_death(
    const std::vector<const source::CgroupEntry*>& lineage) {
  std::vector<engine::LimitLevel> chain;
  for (size_t i = 0; i < lineage.size(); ++i) {
    Level* level = level_of(*lineage[i], i == 0);
    if (!level) continue;
    if (auto limit = level->handle.limit_bytes()) level->limit_bytes = *limit;
    engine::LimitLevel now{lineage[i]->path, level->name, level->limit_bytes, {}, {}, {}};
    if (auto usage = level->handle.usage_bytes()) now.usage_bytes = *usage;
    if (auto local = level->handle.local_events()) {
      now.new_ooms = growth(local->oom, level->ooms);
      level->ooms = local->oom;
    }
    auto hits = level->handle.fail_count();
    now.new_limit_hits = growth(hits, level->limit_hits);
    level->limit_hits = hits;
    chain.push_back(std::move(now));
  }
  return chain;
}

bool Ceilings::kills_as_group(const std::vector<const source::CgroupEntry*>& lineage,
                              const std::string& owner_path) {
  for (size_t i = 0; i < lineage.size(); ++i) {
    Level* level = level_of(*lineage[i], i == 0);
    if (level && level->handle.kills_as_group()) return true;
    if (lineage[i]->path == owner_path) break;
  }
  return false;
}

}  // namespace oomen::app
