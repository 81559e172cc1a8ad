// Snapshots for the tests of the sink.
#pragma once
#include <string>

#include "model/snapshot.h"

namespace oomen::sink {

constexpr uint64_t kMiB = 1 << 20;

inline model::ContainerView container_view(const std::string& space, const std::string& pod,
                                           const std::string& container) {
  model::ContainerView view;
  view.container.id = 4711;
  view.container.cgroup_path = "/kubepods/" + pod;
  view.container.namespace_name = space;
  view.container.pod = pod;
  view.container.container = container;
  view.latest.time_ns = 1;
  view.latest.usage_bytes = 60 * kMiB;
  view.unreclaimable_bytes = 50 * kMiB;
  view.ceiling = model::Ceiling{"container", 96 * kMiB, view.container.cgroup_path};
  view.assessment.verdict = model::Verdict::kSteady;
  return view;
}

// An alert stands on it, with a reliable ETA.
inline model::ContainerView leaking_view(const std::string& space, const std::string& pod,
                                         const std::string& container) {
  model::ContainerView view = container_view(space, pod, container);
  model::Assessment& assessment = view.assessment;
  assessment.verdict = model::Verdict::kLeaking;
  assessment.severity = model::Severity::kCritical;
  assessment.firing = true;
  assessment.slope_bytes_per_s = static_cast<double>(kMiB);
  assessment.window_s = 40;
  assessment.eta = model::Eta{30, 45, 70};
  assessment.reliable = true;
  assessment.reasons = {
      {"troughs_rise", false, {{"window_s", 40}, {"slope_bytes_per_s", 1048576}}}};
  view.since_wall_ns = view.firing_since_wall_ns = 1'700'000'000'000'000'000;
  view.container.owner = {"Deployment", "pay", true};
  view.grows = {"anon"};
  return view;
}

inline model::Snapshot snapshot_of(std::vector<model::ContainerView> containers) {
  model::Snapshot snapshot;
  snapshot.wall_time_ns = 1'700'000'000'500'000'000;
  snapshot.containers = std::move(containers);
  snapshot.status.node = "n1";
  snapshot.status.version = "1.2.3";
  return snapshot;
}

inline model::Autopsy killed_at_limit() {
  model::Autopsy autopsy;
  autopsy.id = "n1-1";
  autopsy.time_ns = 100'000'000'000;
  autopsy.wall_time_ns = 1'700'000'000'000'000'000;
  autopsy.container = container_view("demo", "leaky", "leaky").container;
  autopsy.kind = "container_limit";
  autopsy.killer = "kernel";
  autopsy.exit_code = 137;
  autopsy.signal = 9;
  autopsy.victim_pid = 1234;
  autopsy.victim_comm = "leaky";
  autopsy.limit_bytes = 96 * kMiB;
  autopsy.first_alert_ns = 66'000'000'000;
  autopsy.first_alert_wall_ns = 1'699'999'966'000'000'000;
  return autopsy;
}

}  // namespace oomen::sink
