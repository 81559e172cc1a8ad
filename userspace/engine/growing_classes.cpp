#include "engine/growing_classes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomen::engine {
namespace {

using Classes = model::MemoryClasses;
using Field = std::optional<uint64_t> Classes::*;

struct Named {
  std::string_view name;
  Field field;
};

constexpr std::array<Named, 7> kNamed{{{"anon", &Classes::anon},
                                       {"shmem", &Classes::shmem},
                                       {"file", &Classes::file},
                                       {"slab_unreclaimable", &Classes::slab_unreclaimable},
                                       {"sock", &Classes::sock},
                                       {"kernel_stack", &Classes::kernel_stack},
                                       {"page_tables", &Classes::page_tables}}};
constexpr Named kKernel{"kernel", &Classes::kernel};

using Growth = std::pair<uint64_t, std::string_view>;

void add_growth(std::vector<Growth>& grown, const Named& named, const Classes& then,
                const Classes& now) {
  auto before = then.*named.field, after = now.*named.field;
  if (before && after && *after > *before) grown.emplace_back(*after - *before, named.name);
}

}  // namespace

std::vector<std::string_view> growing_classes(const Classes& then, const Classes& now) {
  std::vector<Growth> grown;
  for (const Named& named : kNamed) add_growth(grown, named, then, now);
  // All kernel memory holds the stacks, tables and slab: counted only where it is all there is.
  if (!now.slab_unreclaimable) add_growth(grown, kKernel, then, now);
  uint64_t total = 0;
  for (const Growth& growth : grown) total += growth.first;
  std::sort(grown.rbegin(), grown.rend());
  std::vector<std::string_view> names;
  for (const auto& [bytes, name] : grown)
    if (bytes * 10 >= total) names.push_back(name);
  return names;
}

}  // namespace oomen::engine
