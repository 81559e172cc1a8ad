// What the kernel side sent, from bytes to facts. Pure; a record that is not understood is counted
// and left out.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/kernel_event.h"

namespace oomen::source {

class WireDecoder {
 public:
  explicit WireDecoder(uint64_t page_bytes) : page_bytes_(page_bytes) {}

  // One record of the ring buffer. Nothing when malformed, or when told already: two last threads
  // of a process may both report its end.
  std::optional<model::KernelEvent> decode(std::span<const std::byte> record);
  // All that one pass of the task iterator wrote. Of a process told twice the first stays.
  std::vector<model::ProcessSample> decode_processes(std::span<const std::byte> bytes);

  uint64_t malformed() const { return malformed_; }

 private:
  struct Who {
    uint32_t pid = 0;
    uint64_t start_ns = 0;
    bool operator==(const Who&) const = default;
  };
  bool is_told(Who who);
  template <class Record>
  std::optional<model::KernelEvent> decode_as(std::span<const std::byte> record);

  uint64_t page_bytes_;
  uint64_t malformed_ = 0;
  std::array<Who, 64> ended_{};  // the last ones
  size_t next_ended_ = 0;
};

// Names of what is counted as lost, by the kind's number: "growth", "cgroup_made", ...; "" no such
// kind.
std::string_view loss_name(size_t kind);

}  // namespace oomen::source
