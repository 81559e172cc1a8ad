#include "source/kernel_events.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <unordered_map>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "source/bpf_host.h"
#include "source/bpf_programs.h"
#include "source/wire_decoder.h"
#include "wire.h"

namespace oomen::source {
namespace {

constexpr uint32_t kBatch = 1024;
constexpr size_t kIteratorRead = 256 * 1024;

uint64_t page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

BpfSettings settings_of(const KernelEventsOptions& options) {
  BpfSettings settings;
  settings.plan = {options.syscall_tracepoints, options.only_growth_rung};
  settings.memory_hierarchy_id = options.memory_hierarchy_id;
  settings.quantum_pages = options.growth_quantum_bytes / page_bytes();
  settings.period_ns = options.growth_period_ns;
  settings.ring_bytes = options.ring_bytes;
  return settings;
}

// Every entry of a hash map of the kernel; what changes meanwhile is seen or not.
template <class Value>
void for_each_entry(int map, const std::function<void(uint64_t, const Value&)>& take) {
  std::vector<uint64_t> keys(kBatch);
  std::vector<Value> values(kBatch);
  uint32_t position = 0, next = 0;
  bool first = true;
  for (int error = 0; error == 0; first = false) {
    uint32_t count = kBatch;
    error = bpf_map_lookup_batch(map, first ? nullptr : &position, &next, keys.data(),
                                 values.data(), &count, nullptr);
    if (error != 0 && errno != ENOENT) return;  // ENOENT: these were the last
    for (uint32_t i = 0; i < count; i++) take(keys[i], values[i]);
    position = next;
  }
}

base::Result<std::vector<std::byte>> run_iterator(int link) {
  base::Fd iterator(bpf_iter_create(link));
  if (!iterator.valid()) return base::errno_error("task iterator");
  std::vector<std::byte> bytes;
  for (;;) {
    size_t had = bytes.size();
    bytes.resize(had + kIteratorRead);
    ssize_t got = read(iterator.get(), bytes.data() + had, kIteratorRead);
    int error = errno;
    bytes.resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0) return bytes;
    // EAGAIN: a million tasks that wrote nothing; it goes on from there.
    if (got < 0 && error != EINTR && error != EAGAIN)
      return base::errno_error("task iterator", error);
  }
}

uint64_t memory_of_map(int fd) {
  auto info = base::read_file("/proc/self/fdinfo/" + std::to_string(fd));
  if (!info) return 0;
  for (std::string_view rest = *info; !rest.empty();) {
    std::string_view value = base::take_until(rest, '\n');
    if (base::take_until(value, ':') == "memlock")
      return base::parse_number<uint64_t>(base::trim(value)).value_or(0);
  }
  return 0;
}

}  // namespace

struct KernelEvents::Impl {
  std::unique_ptr<BpfPrograms> programs;
  std::unique_ptr<ring_buffer, void (*)(ring_buffer*)> ring{nullptr, ring_buffer__free};
  std::vector<model::Hook> hooks;
  WireDecoder decoder{page_bytes()};
  bool sees_all_processes = is_in_initial_pid_namespace();
  // Growth of mms that died unseen, by cgroup: the kernel's totals still hold it.
  std::unordered_map<model::CgroupId, int64_t> retired_bytes;
  const std::function<void(const model::KernelEvent&)>* sink = nullptr;

  static int on_record(void* self, void* data, size_t size) {
    auto& impl = *static_cast<Impl*>(self);
    auto event = impl.decoder.decode({static_cast<const std::byte*>(data), size});
    if (!event) return 0;
    if (auto* growth = std::get_if<model::Growth>(&*event))
      growth->total_bytes -= impl.retired_of(growth->cgroup);
    (*impl.sink)(*event);
    return 0;
  }

  int64_t retired_of(model::CgroupId cgroup) const {
    auto found = retired_bytes.find(cgroup);
    return found == retired_bytes.end() ? 0 : found->second;
  }

  void start(const KernelEventsOptions& options) {
    KernelFacts facts = read_kernel_facts();
    auto loaded = BpfPrograms::load(facts, settings_of(options));
    if (!loaded) {
      hooks = hooks_without(loaded.error().message);
      return;
    }
    programs = std::move(*loaded);
    hooks = programs->hooks();
    ring.reset(ring_buffer__new(programs->events_fd(), on_record, this, nullptr));
  }

  // Not seen by the pass nor born since it began: their process is gone by a way no event told (an
  // exec leaves its old mm behind). Only where a pass sees every process.
  void retire_unseen(uint32_t pass) {
    std::vector<uint64_t> dead;
    for_each_entry<oomen_mm>(programs->mms_fd(), [&](uint64_t mm, const oomen_mm& known) {
      if (known.pass == pass) return;
      dead.push_back(mm);
      int64_t pages = known.credited_pages - known.baseline_pages;
      if (known.cgroup && pages)
        retired_bytes[known.cgroup] += pages * static_cast<int64_t>(page_bytes());
    });
    for (uint64_t mm : dead) bpf_map_delete_elem(programs->mms_fd(), &mm);
  }
};

KernelEvents::KernelEvents(const KernelEventsOptions& options) : impl_(std::make_unique<Impl>()) {
  if (!options.enabled) {
    impl_->hooks = hooks_without("BPF is switched off");
    return;
  }
  impl_->start(options);
  (void)read_processes();  // baselines of all mms there are
}

KernelEvents::~KernelEvents() = default;

int KernelEvents::poll_fd() const {
  return impl_->ring ? ring_buffer__epoll_fd(impl_->ring.get()) : -1;
}

void KernelEvents::drain(const std::function<void(const model::KernelEvent&)>& sink) {
  if (!impl_->ring) return;
  impl_->sink = &sink;
  ring_buffer__consume(impl_->ring.get());
  impl_->sink = nullptr;
}

base::Result<std::vector<model::ProcessSample>> KernelEvents::read_processes() {
  if (!impl_->programs || impl_->programs->task_iterator_fd() < 0)
    return base::Error{"no task iterator"};
  uint32_t pass = impl_->programs->next_pass();
  auto bytes = run_iterator(impl_->programs->task_iterator_fd());
  if (!bytes) return std::move(bytes).error();
  if (impl_->sees_all_processes) impl_->retire_unseen(pass);
  return impl_->decoder.decode_processes(*bytes);
}

std::vector<model::Growth> KernelEvents::growth_totals() {
  std::vector<model::Growth> totals;
  if (!impl_->programs) return totals;
  auto page = static_cast<int64_t>(page_bytes());
  for_each_entry<oomen_cgroup_growth>(
      impl_->programs->cgroups_fd(), [&](uint64_t cgroup, const oomen_cgroup_growth& growth) {
        totals.push_back(
            {base::boottime_ns(), cgroup, growth.total_pages * page - impl_->retired_of(cgroup)});
      });
  return totals;
}

void KernelEvents::forget(model::CgroupId cgroup) {
  impl_->retired_bytes.erase(cgroup);
  if (impl_->programs) bpf_map_delete_elem(impl_->programs->cgroups_fd(), &cgroup);
}

const std::vector<model::Hook>& KernelEvents::hooks() const { return impl_->hooks; }

std::vector<model::Counter> KernelEvents::losses() const {
  std::vector<model::Counter> counters;
  std::span<const uint64_t> lost;
  if (impl_->programs) lost = impl_->programs->losses();
  for (size_t kind = 0; kind < lost.size(); kind++)
    if (!loss_name(kind).empty()) counters.push_back({std::string(loss_name(kind)), lost[kind]});
  counters.push_back({"skipped_runs", impl_->programs ? impl_->programs->skipped_runs() : 0});
  counters.push_back({"malformed", impl_->decoder.malformed()});
  return counters;
}

uint64_t KernelEvents::map_bytes() const {
  uint64_t bytes = 0;
  if (impl_->programs)
    for (int fd : impl_->programs->map_fds()) bytes += memory_of_map(fd);
  return bytes;
}

}  // namespace oomen::source
