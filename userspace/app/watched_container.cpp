#include "app/watched_container.h"

#include <algorithm>

#include "base/clock.h"
#include "engine/growing_classes.h"

namespace oomen::app {
namespace {
constexpr size_t kHistoryPoints = 600;  // ten minutes of seconds
constexpr size_t kProcessesKept = 10;
}  // namespace

WatchedContainer::WatchedContainer(model::Container container, source::CgroupHandle handle,
                                   double sensitivity)
    : container_(std::move(container)),
      handle_(std::move(handle)),
      engine_({.sensitivity = sensitivity}) {}

engine::PaceFacts WatchedContainer::pace_facts(uint64_t now_ns) const {
  engine::PaceFacts facts;
  if (container_.birth_observed) facts.age_s = base::seconds(now_ns - container_.birth_ns);
  facts.suspect = assessment_.firing || assessment_.verdict == model::Verdict::kLeaking ||
                  assessment_.verdict == model::Verdict::kBursting ||
                  assessment_.verdict == model::Verdict::kPinned;
  if (!ceiling_ || !unreclaimable_bytes_ || ceiling_->effective_bytes <= 0) return facts;
  double own = static_cast<double>(*unreclaimable_bytes_);
  facts.filled_ratio = own / ceiling_->effective_bytes;
  double headroom = std::max(ceiling_->effective_bytes - own, 1.0);
  facts.usage_jump_ratio =
      (static_cast<double>(latest_.usage_bytes) - static_cast<double>(usage_at_classes_)) /
      headroom;
  return facts;
}

bool WatchedContainer::read(uint64_t now_ns, uint64_t& counted_errors) {
  auto usage = handle_.usage_bytes();
  if (!usage) {
    if (source::is_gone(usage.error())) return false;
    ++counted_errors;
    return true;
  }
  latest_.time_ns = now_ns;
  latest_.usage_bytes = *usage;
  latest_.unreclaimable_bytes.reset();
  // Half a beat of grace: after a beat that came late the next one comes early, and must not be
  // left out.
  double waited_s = base::seconds(now_ns - classes_time_ns_) + 0.5;
  bool here = true;
  if (classes_time_ns_ == 0 || waited_s >= engine::class_pace_s(pace_facts(now_ns)))
    here = read_classes(now_ns, counted_errors);
  history_.push_back({now_ns, latest_.usage_bytes, latest_.unreclaimable_bytes});
  if (history_.size() > kHistoryPoints) history_.pop_front();
  return here;
}

bool WatchedContainer::read_classes(uint64_t now_ns, uint64_t& counted_errors) {
  auto classes = handle_.classes();
  if (!classes) {
    if (source::is_gone(classes.error())) return false;
    ++counted_errors;
    return true;
  }
  classes_ = *classes;
  if (!first_classes_) first_classes_ = classes_;
  classes_time_ns_ = now_ns;
  usage_at_classes_ = latest_.usage_bytes;
  unreclaimable_bytes_ = model::unreclaimable_bytes(latest_.usage_bytes, *classes_);
  latest_.unreclaimable_bytes = unreclaimable_bytes_;
  latest_.pressure_full_avg10_percent = handle_.pressure_full_avg10_percent();
  return true;
}

void WatchedContainer::judge(const std::optional<CeilingChoice>& choice) {
  ceiling_ = choice;
  std::optional<double> limit;
  if (choice) limit = choice->effective_bytes;
  engine_.add(base::seconds(latest_.time_ns), static_cast<double>(*unreclaimable_bytes_), limit);
  assessment_ = engine_.assess();
}

void WatchedContainer::take_processes(const std::vector<const model::ProcessSample*>& processes) {
  process_count_ = static_cast<uint32_t>(processes.size());
  processes_known_ = true;
  threads_ = open_files_ = 0;
  const model::ProcessSample* oldest = nullptr;
  std::vector<const model::ProcessSample*> by_size = processes;
  for (const auto* process : processes) {
    threads_ += process->threads;
    open_files_ += process->open_files;
    if (!oldest || process->start_ns < oldest->start_ns) oldest = process;
  }
  if (!main_pid_ && oldest) main_pid_ = oldest->pid;
  size_t keep = std::min(by_size.size(), kProcessesKept);
  std::partial_sort(by_size.begin(), by_size.begin() + static_cast<long>(keep), by_size.end(),
                    [](const auto* a, const auto* b) {
                      return a->anon_bytes + a->shmem_bytes > b->anon_bytes + b->shmem_bytes;
                    });
  processes_.clear();
  for (size_t i = 0; i < keep; ++i) processes_.push_back(*by_size[i]);
}

void WatchedContainer::take_growth(const model::Growth& growth) {
  if (growth_ && growth.time_ns <= growth_->time_ns) return;
  growth_ = growth;
  // A rate over less than ten seconds would be one mmap's; over more than a minute, history.
  if (!growth_base_ || growth.time_ns - growth_base_->time_ns > 60'000'000'000)
    growth_base_ = growth;
}

void WatchedContainer::see_exec(const model::ProcessExec& exec) {
  if (!main_pid_) main_pid_ = exec.pid;
}

std::vector<std::string> WatchedContainer::growing_classes() const {
  if (!classes_ || !first_classes_) return {};
  auto names = engine::growing_classes(*first_classes_, *classes_);
  return {names.begin(), names.end()};
}

model::ContainerView WatchedContainer::view(uint64_t boot_now_ns, uint64_t wall_now_ns) const {
  auto wall = [&](double series_s) {
    double ago_s = base::seconds(boot_now_ns) - series_s;
    return wall_now_ns - static_cast<uint64_t>(std::max(ago_s, 0.0) * 1e9);
  };
  model::ContainerView view;
  view.container = container_;
  view.latest = latest_;
  view.unreclaimable_bytes = unreclaimable_bytes_;
  view.classes = classes_;
  if (ceiling_) view.ceiling = ceiling_->ceiling;
  view.assessment = assessment_;
  if (assessment_.firing) view.firing_since_wall_ns = wall(assessment_.firing_since_s);
  if (assessment_.since_s > 0) view.since_wall_ns = wall(assessment_.since_s);
  if (assessment_.firing || assessment_.slope_bytes_per_s > 0) view.grows = growing_classes();
  if (growth_) view.growth_virtual_bytes = growth_->total_bytes;
  if (growth_ && growth_->time_ns - growth_base_->time_ns >= 10'000'000'000)
    view.growth_virtual_bytes_per_s =
        static_cast<double>(growth_->total_bytes - growth_base_->total_bytes) /
        base::seconds(growth_->time_ns - growth_base_->time_ns);
  view.processes = process_count_;
  if (processes_known_) view.threads = threads_, view.open_files = open_files_;
  return view;
}

}  // namespace oomen::app
