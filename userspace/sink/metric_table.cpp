#include "sink/metric_table.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace oomen::sink {
namespace {
using model::ContainerView;
using model::Snapshot;

auto name_of(const ContainerView& view) {
  const model::Container& c = view.container;
  return std::tie(c.namespace_name, c.pod, c.container);
}

LabelPairs join_labels(const std::string& space, const std::string& pod,
                       const std::string& container, const Snapshot& snapshot) {
  return {
      {"namespace", space}, {"pod", pod}, {"container", container}, {"node", snapshot.status.node}};
}

LabelPairs labels_of(const ContainerView& view, const Picture& picture) {
  const model::Container& c = view.container;
  return join_labels(c.namespace_name, c.pod, c.container, picture.snapshot);
}

LabelPairs with(LabelPairs labels, const char* name, std::string_view value) {
  labels.emplace_back(name, std::string(value));
  return labels;
}

LabelPairs node_label(const Picture& picture) { return {{"node", picture.snapshot.status.node}}; }

double wall_seconds(uint64_t wall_ns) { return static_cast<double>(wall_ns / 1'000'000) / 1e3; }

void unreclaimable(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers)
    if (view->unreclaimable_bytes)
      add(labels_of(*view, picture), static_cast<double>(*view->unreclaimable_bytes));
}

void ceiling(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers)
    if (view->ceiling)
      add(with(labels_of(*view, picture), "level", view->ceiling->level),
          static_cast<double>(view->ceiling->bytes));
}

void growth(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers)
    add(labels_of(*view, picture), view->assessment.slope_bytes_per_s);
}

void eta(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers) {
    const model::Assessment& assessment = view->assessment;
    if (!assessment.eta || !assessment.reliable || is_quiet(*view)) continue;
    LabelPairs labels = labels_of(*view, picture);
    add(with(labels, "quantile", "0.1"), assessment.eta->p10_s);
    add(with(labels, "quantile", "0.5"), assessment.eta->p50_s);
    add(with(labels, "quantile", "0.9"), assessment.eta->p90_s);
  }
}

void verdict(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers)
    if (!is_quiet(*view))
      add(with(labels_of(*view, picture), "verdict", name(view->assessment.verdict)), 1);
}

void alert(const Picture& picture, const AddSeries& add) {
  for (const ContainerView* view : picture.containers)
    if (view->assessment.firing)
      add(with(labels_of(*view, picture), "severity", name(view->assessment.severity)), 1);
}

void info(const Picture& picture, const AddSeries& add) {
  auto add_info = [&](const LabelPairs& labels, const model::Owner& owner) {
    add(with(with(labels, "workload", owner.name), "workload_kind", owner.kind), 1);
  };
  for (const model::LastKill& kill : picture.snapshot.last_kills)
    add_info(join_labels(kill.namespace_name, kill.pod, kill.container, picture.snapshot),
             kill.owner);
  auto killed = [&](const ContainerView& view) {
    return std::any_of(picture.snapshot.last_kills.begin(), picture.snapshot.last_kills.end(),
                       [&](const model::LastKill& kill) {
                         return std::tie(kill.namespace_name, kill.pod, kill.container) ==
                                name_of(view);
                       });
  };
  for (const ContainerView* view : picture.containers)
    if (!is_quiet(*view) && !killed(*view))
      add_info(labels_of(*view, picture), view->container.owner);
}

void last_kill(const Picture& picture, const AddSeries& add) {
  for (const model::LastKill& kill : picture.snapshot.last_kills)
    add(join_labels(kill.namespace_name, kill.pod, kill.container, picture.snapshot),
        wall_seconds(kill.wall_time_ns));
}

void build_info(const Picture& picture, const AddSeries& add) {
  const model::Status& status = picture.snapshot.status;
  add(with(with(with(node_label(picture), "version", status.version), "kernel", status.kernel),
           "cgroup_mode", status.cgroup_mode),
      1);
}

void containers_by_verdict(const Picture& picture, const AddSeries& add) {
  std::array<double, 8> counts{};
  for (const ContainerView& view : picture.snapshot.containers)
    counts[static_cast<size_t>(view.assessment.verdict)] += 1;
  for (size_t i = 0; i < counts.size(); ++i)
    add(with(node_label(picture), "verdict", name(static_cast<model::Verdict>(i))), counts[i]);
}

void hooks(const Picture& picture, const AddSeries& add) {
  for (const model::Hook& hook : picture.snapshot.status.hooks)
    add(with(with(node_label(picture), "hook", hook.name), "rung", hook.rung), hook.attached);
}

void counters(const std::vector<model::Counter>& all, const Picture& picture,
              const AddSeries& add) {
  for (const model::Counter& counter : all)
    add(with(node_label(picture), "kind", counter.name), static_cast<double>(counter.value));
}

void losses(const Picture& picture, const AddSeries& add) {
  counters(picture.snapshot.status.losses, picture, add);
}

void errors(const Picture& picture, const AddSeries& add) {
  counters(picture.snapshot.status.errors, picture, add);
}

// A row about the agent as a whole: one series, one number of the snapshot.
template <double (*kValue)(const Snapshot&)>
void of_agent(const Picture& picture, const AddSeries& add) {
  add(node_label(picture), kValue(picture.snapshot));
}
double heartbeat(const Snapshot& s) { return wall_seconds(s.wall_time_ns); }
double started(const Snapshot& s) { return wall_seconds(s.status.started_wall_ns); }
double degraded(const Snapshot& s) { return s.status.degraded; }
double cpu(const Snapshot& s) { return s.status.cpu_seconds; }
double resident(const Snapshot& s) { return static_cast<double>(s.status.resident_bytes); }
double maps(const Snapshot& s) { return static_cast<double>(s.status.bpf_map_bytes); }
double wakeups(const Snapshot& s) { return static_cast<double>(s.status.loop_wakeups); }

std::vector<const char*> join_and(std::initializer_list<const char*> more) {
  std::vector<const char*> labels{"namespace", "pod", "container", "node"};
  labels.insert(labels.end(), more);
  return labels;
}

// NOLINTNEXTLINE(readability-function-size): one table
std::vector<MetricRow> make_table() {
  constexpr MetricType kGauge = MetricType::kGauge;
  constexpr MetricType kCounter = MetricType::kCounter;
  constexpr const char* kKnown = "always, once it has been read";
  constexpr const char* kNotQuiet = "while the container is not quiet";
  constexpr const char* kAlways = "always";
  return {
      {"oomen_container_unreclaimable_bytes", kGauge, "bytes",
       "Memory that reclaim can not take back: usage less page cache and reclaimable slab.",
       join_and({}), kKnown, unreclaimable},
      {"oomen_container_ceiling_bytes", kGauge, "bytes",
       "The nearest limit above the container, and whose it is.", join_and({"level"}),
       "always, if any limit stands above it", ceiling},
      {"oomen_container_growth_bytes_per_second", kGauge, "bytes per second",
       "Growth of the troughs of unreclaimable memory; 0 where no trend is seen.", join_and({}),
       kAlways, growth},
      {"oomen_container_oom_eta_seconds", MetricType::kUntyped, "seconds",
       "Time until headroom is gone; quantiles of the forecast.", join_and({"quantile"}),
       "while the container is not quiet and the forecast is reliable", eta},
      {"oomen_container_verdict", kGauge, "1", "What the trend is, as a label.",
       join_and({"verdict"}), kNotQuiet, verdict},
      {"oomen_container_alert", kGauge, "1",
       "An alert stands, hysteresis included; its severity is a label.", join_and({"severity"}),
       "while the alert stands", alert},
      {"oomen_container_info", kGauge, "1", "Whose the container is, for joins.",
       join_and({"workload", "workload_kind"}),
       "while the container is not quiet, and as long as its last-kill series stands", info},
      {"oomen_container_last_oom_kill_timestamp_seconds", kGauge, "Unix time in seconds",
       "When the container was last killed for memory.", join_and({}),
       "once killed; stays when the container is gone", last_kill},
      {"oomen_build_info",
       kGauge,
       "1",
       "Version of the agent and the kernel it runs on.",
       {"node", "version", "kernel", "cgroup_mode"},
       kAlways,
       build_info},
      {"oomen_agent_containers",
       kGauge,
       "containers",
       "Containers watched, by verdict.",
       {"node", "verdict"},
       kAlways,
       containers_by_verdict},
      {"oomen_agent_hook_attached",
       kGauge,
       "1 (attached) or 0",
       "Kernel hooks, and the rung each one is attached by.",
       {"node", "hook", "rung"},
       kAlways,
       hooks},
      {"oomen_agent_events_lost_total",
       kCounter,
       "events",
       "Kernel events that could not be delivered.",
       {"node", "kind"},
       kAlways,
       losses},
      {"oomen_agent_errors_total",
       kCounter,
       "errors",
       "Errors the agent counted and lived with.",
       {"node", "kind"},
       "for each kind that the agent counts",
       errors},
      {"oomen_agent_degraded",
       kGauge,
       "1 (degraded) or 0",
       "Something this agent should do is missing; /api/v1/status says what.",
       {"node"},
       kAlways,
       of_agent<degraded>},
      {"oomen_agent_loop_heartbeat_timestamp_seconds",
       kGauge,
       "Unix time in seconds",
       "When the agent's loop last published what it knows.",
       {"node"},
       kAlways,
       of_agent<heartbeat>},
      {"oomen_agent_loop_wakeups_total",
       kCounter,
       "wakeups",
       "Turns of the agent's loop.",
       {"node"},
       kAlways,
       of_agent<wakeups>},
      {"oomen_agent_start_timestamp_seconds",
       kGauge,
       "Unix time in seconds",
       "When the agent was started.",
       {"node"},
       kAlways,
       of_agent<started>},
      {"oomen_agent_cpu_seconds_total",
       kCounter,
       "seconds",
       "CPU time the agent used, user and system.",
       {"node"},
       kAlways,
       of_agent<cpu>},
      {"oomen_agent_resident_bytes",
       kGauge,
       "bytes",
       "Resident memory of the agent.",
       {"node"},
       kAlways,
       of_agent<resident>},
      {"oomen_agent_bpf_map_bytes",
       kGauge,
       "bytes",
       "Memory of the agent's BPF maps, which is not part of its resident memory.",
       {"node"},
       kAlways,
       of_agent<maps>},
  };
}

}  // namespace

bool is_quiet(const ContainerView& view) {
  model::Verdict verdict = view.assessment.verdict;
  return !view.assessment.firing &&
         (verdict == model::Verdict::kSteady || verdict == model::Verdict::kUnknown);
}

Picture::Picture(const Snapshot& of) : snapshot(of) {
  containers.reserve(of.containers.size());
  for (const ContainerView& view : of.containers) containers.push_back(&view);
  std::sort(containers.begin(), containers.end(), [](const auto* a, const auto* b) {
    if (name_of(*a) != name_of(*b)) return name_of(*a) < name_of(*b);
    return a->container.birth_ns > b->container.birth_ns;
  });
  auto same_name = [](const auto* a, const auto* b) { return name_of(*a) == name_of(*b); };
  containers.erase(std::unique(containers.begin(), containers.end(), same_name), containers.end());
}

const std::vector<MetricRow>& metric_table() {
  static const std::vector<MetricRow> table = make_table();
  return table;
}

}  // namespace oomen::sink
