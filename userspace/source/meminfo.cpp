#include "source/meminfo.h"

#include <fcntl.h>

#include "base/text.h"

namespace oomen::source {

std::optional<NodeMemory> parse_meminfo(std::string_view text) {
  std::optional<uint64_t> total, available;
  NodeMemory memory;
  while (!text.empty()) {
    std::string_view line = base::take_until(text, '\n');
    std::string_view key = base::take_until(line, ':');
    line = base::trim(line);
    auto kib = base::parse_number(base::take_until(line, ' '));
    if (!kib) continue;
    if (key == "MemTotal") total = *kib * 1024;
    if (key == "MemAvailable") available = *kib * 1024;
    if (key == "SwapFree") memory.swap_free_bytes = *kib * 1024;
  }
  if (!total || !available) return std::nullopt;
  memory.total_bytes = *total;
  memory.available_bytes = *available;
  return memory;
}

std::optional<NodeMemory> Meminfo::read() {
  if (!file_.valid()) {
    auto opened = base::open_at(AT_FDCWD, "/proc/meminfo", O_RDONLY);
    if (!opened) return std::nullopt;
    file_ = std::move(*opened);
  }
  char buffer[8192];
  auto text = base::read_at_start(file_.get(), buffer, sizeof buffer);
  return text ? parse_meminfo(*text) : std::nullopt;
}

}  // namespace oomen::source
