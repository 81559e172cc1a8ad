#include "source/wire_decoder.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "wire.h"

namespace oomen::source {
namespace {

using model::KernelEvent;

template <size_t kSize>
std::string text(const char (&bytes)[kSize]) {
  return std::string(bytes, strnlen(bytes, kSize));
}

std::optional<model::CgroupId> known(uint64_t id) {
  return id ? std::optional<model::CgroupId>(id) : std::nullopt;
}

uint64_t bytes_of(int64_t pages, uint64_t page_bytes) {
  return pages > 0 ? static_cast<uint64_t>(pages) * page_bytes : 0;
}

KernelEvent event_of(const oomen_growth& r, uint64_t page_bytes) {
  // Unsigned, so that a sum no machine could reach wraps instead of being undefined.
  uint64_t bytes = static_cast<uint64_t>(r.total_pages) * page_bytes;
  return model::Growth{r.header.time_ns, r.cgroup, static_cast<int64_t>(bytes)};
}
KernelEvent event_of(const oomen_cgroup_made& r, uint64_t) {
  return model::CgroupMade{r.header.time_ns, r.id, r.parent, text(r.name)};
}
KernelEvent event_of(const oomen_cgroup_removed& r, uint64_t) {
  return model::CgroupRemoved{r.header.time_ns, r.id};
}
KernelEvent event_of(const oomen_exec& r, uint64_t) {
  return model::ProcessExec{r.header.time_ns, r.cgroup, static_cast<int>(r.pid), text(r.comm)};
}
KernelEvent event_of(const oomen_oom_victim& r, uint64_t) {
  return model::OomVictim{r.header.time_ns, static_cast<int>(r.pid),         known(r.cgroup),
                          text(r.comm),     static_cast<int>(r.trigger_pid), text(r.trigger_comm)};
}
KernelEvent event_of(const oomen_kill& r, uint64_t) {
  return model::KillSent{r.header.time_ns, static_cast<int>(r.pid), r.cgroup,
                         text(r.comm),     r.from_kernel != 0,      static_cast<int>(r.sender_pid),
                         r.sender_cgroup,  text(r.sender_comm)};
}
KernelEvent event_of(const oomen_exit& r, uint64_t) {
  return model::ProcessExit{r.header.time_ns, static_cast<int>(r.pid), r.cgroup, text(r.comm),
                            r.code};
}

model::ProcessSample sample_of(const oomen_process& r, uint64_t page_bytes) {
  model::ProcessSample sample;
  sample.pid = static_cast<int>(r.pid);
  sample.parent_pid = static_cast<int>(r.parent_pid);
  sample.cgroup = r.cgroup;
  sample.comm = text(r.comm);
  sample.start_ns = r.start_ns;
  sample.anon_bytes = bytes_of(r.anon_pages, page_bytes);
  sample.file_bytes = bytes_of(r.file_pages, page_bytes);
  sample.shmem_bytes = bytes_of(r.shmem_pages, page_bytes);
  sample.swap_bytes = bytes_of(r.swap_pages, page_bytes);
  sample.virtual_bytes = r.total_vm_pages * page_bytes;
  sample.data_virtual_bytes = r.data_vm_pages * page_bytes;
  sample.threads = r.threads;
  sample.open_files = r.open_files;
  return sample;
}

}  // namespace

bool WireDecoder::is_told(Who who) {
  if (std::find(ended_.begin(), ended_.end(), who) != ended_.end()) return true;
  ended_[next_ended_++ % ended_.size()] = who;
  return false;
}

// The ring rounds sizes up to 8 bytes in its own headers only, so a size that differs is a fault.
template <class Record>
std::optional<KernelEvent> WireDecoder::decode_as(std::span<const std::byte> bytes) {
  Record record;
  if (bytes.size() != sizeof(record)) {
    malformed_++;
    return std::nullopt;
  }
  std::memcpy(&record, bytes.data(), sizeof(record));
  if constexpr (std::is_same_v<Record, oomen_exit>)
    if (is_told({record.pid, record.start_ns})) return std::nullopt;
  return event_of(record, page_bytes_);
}

std::optional<KernelEvent> WireDecoder::decode(std::span<const std::byte> bytes) {
  oomen_header header{};
  if (bytes.size() >= sizeof(header)) std::memcpy(&header, bytes.data(), sizeof(header));
  switch (header.kind) {
    case OOMEN_GROWTH: return decode_as<oomen_growth>(bytes);
    case OOMEN_CGROUP_MADE: return decode_as<oomen_cgroup_made>(bytes);
    case OOMEN_CGROUP_REMOVED: return decode_as<oomen_cgroup_removed>(bytes);
    case OOMEN_EXEC: return decode_as<oomen_exec>(bytes);
    case OOMEN_OOM_VICTIM: return decode_as<oomen_oom_victim>(bytes);
    case OOMEN_KILL: return decode_as<oomen_kill>(bytes);
    case OOMEN_EXIT: return decode_as<oomen_exit>(bytes);
    default: malformed_++; return std::nullopt;
  }
}

std::vector<model::ProcessSample> WireDecoder::decode_processes(std::span<const std::byte> bytes) {
  std::vector<model::ProcessSample> samples;
  samples.reserve(bytes.size() / sizeof(oomen_process));
  std::unordered_set<int> pids;
  for (; bytes.size() >= sizeof(oomen_process); bytes = bytes.subspan(sizeof(oomen_process))) {
    oomen_process record;
    std::memcpy(&record, bytes.data(), sizeof(record));
    if (pids.insert(static_cast<int>(record.pid)).second)
      samples.push_back(sample_of(record, page_bytes_));
  }
  if (!bytes.empty()) malformed_++;
  return samples;
}

std::string_view loss_name(size_t kind) {
  static constexpr std::string_view kNames[] = {
      "",           "growth", "cgroup_made", "cgroup_removed", "exec",
      "oom_victim", "kill",   "exit",        "mms_full",       "cgroups_full"};
  return kind < std::size(kNames) ? kNames[kind] : "";
}

}  // namespace oomen::source
