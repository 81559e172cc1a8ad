#include "source/cgroup_files.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace oomen::source {
namespace {

using Classes = model::MemoryClasses;

struct Key {
  std::string_view name;
  std::optional<uint64_t> Classes::*field;
};

constexpr std::array<Key, 13> kKeysV2{{{"anon", &Classes::anon},
                                       {"file", &Classes::file},
                                       {"kernel", &Classes::kernel},
                                       {"kernel_stack", &Classes::kernel_stack},
                                       {"pagetables", &Classes::page_tables},
                                       {"percpu", &Classes::percpu},
                                       {"sock", &Classes::sock},
                                       {"vmalloc", &Classes::vmalloc},
                                       {"shmem", &Classes::shmem},
                                       {"inactive_file", &Classes::inactive_file},
                                       {"active_file", &Classes::active_file},
                                       {"slab_reclaimable", &Classes::slab_reclaimable},
                                       {"slab_unreclaimable", &Classes::slab_unreclaimable}}};

constexpr std::array<Key, 6> kKeysV1{{{"total_cache", &Classes::file},
                                      {"total_rss", &Classes::anon},
                                      {"total_shmem", &Classes::shmem},
                                      {"total_swap", &Classes::swap},
                                      {"total_inactive_file", &Classes::inactive_file},
                                      {"total_active_file", &Classes::active_file}}};

// Calls `take(key, value)` for each "key value" line whose value is a whole number.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    std::string_view line = base::take_until(text, '\n');
    std::string_view key = base::take_until(line, ' ');
    if (auto value = base::parse_number(line)) take(key, *value);
  }
}

template <class Keys>
Classes parse_stat(std::string_view text, const Keys& keys) {
  Classes classes;
  for_each_line(text, [&](std::string_view key, uint64_t value) {
    for (const Key& known : keys)
      if (known.name == key) classes.*known.field = value;
  });
  // "file" and "cache" hold shmem, which reclaim can't drop: kept apart.
  if (classes.file && classes.shmem)
    classes.file = *classes.file - std::min(*classes.file, *classes.shmem);
  return classes;
}

}  // namespace

Classes parse_memory_stat_v2(std::string_view text) { return parse_stat(text, kKeysV2); }
Classes parse_memory_stat_v1(std::string_view text) { return parse_stat(text, kKeysV1); }

std::optional<uint64_t> parse_limit(std::string_view text) {
  auto bytes = base::parse_number(base::trim(text));
  // v1 says "none" as the largest multiple of a page.
  if (!bytes || *bytes >= uint64_t{1} << 62) return std::nullopt;
  return bytes;
}

MemoryEvents parse_memory_events(std::string_view text) {
  MemoryEvents events;
  for_each_line(text, [&](std::string_view key, uint64_t value) {
    if (key == "high") events.high = value;
    if (key == "max") events.max = value;
    if (key == "oom") events.oom = value;
    if (key == "oom_kill") events.oom_kill = value;
    if (key == "oom_group_kill") events.oom_group_kill = value;
  });
  return events;
}

std::optional<double> parse_pressure_full_avg10(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = base::take_until(text, '\n');
    if (base::take_until(line, ' ') != "full") continue;
    std::string_view field = base::take_until(line, ' ');
    if (base::take_until(field, '=') == "avg10") return base::parse_number<double>(field);
  }
  return std::nullopt;
}

std::optional<std::string> memory_cgroup_of(std::string_view proc_cgroup) {
  std::optional<std::string> unified;
  while (!proc_cgroup.empty()) {
    std::string_view line = base::take_until(proc_cgroup, '\n');
    base::take_until(line, ':');
    std::string_view controllers = base::take_until(line, ':');
    if (controllers.empty() && !unified) unified = std::string(line);
    while (!controllers.empty())
      if (base::take_until(controllers, ',') == "memory") return std::string(line);
  }
  return unified;
}

}  // namespace oomen::source
