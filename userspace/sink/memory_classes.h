// The memory classes by the names that people and the API see.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "model/sample.h"

namespace oomen::sink {

struct MemoryClassName {
  const char* name;  // with its unit
  std::optional<uint64_t> model::MemoryClasses::*bytes;
};

inline constexpr std::array<MemoryClassName, 14> kMemoryClasses{{
    {"anon_bytes", &model::MemoryClasses::anon},
    {"shmem_bytes", &model::MemoryClasses::shmem},
    {"file_bytes", &model::MemoryClasses::file},
    {"active_file_bytes", &model::MemoryClasses::active_file},
    {"inactive_file_bytes", &model::MemoryClasses::inactive_file},
    {"slab_reclaimable_bytes", &model::MemoryClasses::slab_reclaimable},
    {"slab_unreclaimable_bytes", &model::MemoryClasses::slab_unreclaimable},
    {"sock_bytes", &model::MemoryClasses::sock},
    {"kernel_stack_bytes", &model::MemoryClasses::kernel_stack},
    {"page_tables_bytes", &model::MemoryClasses::page_tables},
    {"percpu_bytes", &model::MemoryClasses::percpu},
    {"vmalloc_bytes", &model::MemoryClasses::vmalloc},
    {"kernel_bytes", &model::MemoryClasses::kernel},
    {"swap_bytes", &model::MemoryClasses::swap},
}};

}  // namespace oomen::sink
