// The BPF programs in the kernel: loaded as far as this kernel takes them, each hook attached by
// its highest rung. Lives as long as they shall run.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "source/bpf_plan.h"

namespace oomen::source {

struct BpfSettings {
  PlanOptions plan;
  uint32_t memory_hierarchy_id = 0;
  uint64_t quantum_pages = 256;
  uint64_t period_ns = 1'000'000'000;
  uint32_t ring_bytes = 512 * 1024;
};

class BpfPrograms {
 public:
  // An error when nothing at all can be loaded; a program alone that is refused costs its rung.
  static base::Result<std::unique_ptr<BpfPrograms>> load(const KernelFacts& facts,
                                                         const BpfSettings& settings);
  ~BpfPrograms();
  BpfPrograms(const BpfPrograms&) = delete;
  BpfPrograms& operator=(const BpfPrograms&) = delete;

  const std::vector<model::Hook>& hooks() const { return hooks_; }
  int events_fd() const;
  int mms_fd() const;
  int cgroups_fd() const;
  int task_iterator_fd() const { return task_iterator_fd_; }  // the link's; −1 there is none
  uint32_t next_pass();                                       // the iterator's number from now on
  std::span<const uint64_t> losses() const;                   // by kind of the wire
  // Runs the kernel left out because the same program was interrupted on that CPU. Tracepoints can
  // be since 7.0 (a46023d5616e "tracing: Guard __DECLARE_TRACE() use of __DO_TRACE_CALL() with
  // SRCU-fast"), so an event may be missing that no reserve counted. Told from 5.12 on.
  uint64_t skipped_runs() const;
  std::vector<int> map_fds() const;

 private:
  struct Skeleton;
  explicit BpfPrograms(std::unique_ptr<Skeleton> skeleton);
  void attach(const KernelFacts& facts, std::span<const HookPlan> plans);
  model::Hook attach_hook(const KernelFacts& facts, const HookPlan& plan);
  base::Result<void> attach_rung(const KernelFacts& facts, const Rung& rung);

  std::unique_ptr<Skeleton> skeleton_;
  std::vector<model::Hook> hooks_;
  int task_iterator_fd_ = -1;
};

}  // namespace oomen::source
