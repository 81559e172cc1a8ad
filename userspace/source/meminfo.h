// The node's own memory, from /proc/meminfo.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"

namespace oomen::source {

struct NodeMemory {
  uint64_t total_bytes = 0;
  uint64_t available_bytes = 0;  // the kernel's estimate of what can be had without swapping
  uint64_t swap_free_bytes = 0;
};

// Nothing when MemTotal or MemAvailable is missing or not a number.
std::optional<NodeMemory> parse_meminfo(std::string_view text);

class Meminfo {
 public:
  std::optional<NodeMemory> read();

 private:
  base::Fd file_;
};

}  // namespace oomen::source
