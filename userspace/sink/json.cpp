#include "sink/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "sink/json_parts.h"

namespace oomen::sink {
namespace {
using Json = nlohmann::ordered_json;

Json ceiling_json(const std::optional<model::Ceiling>& ceiling) {
  if (!ceiling) return nullptr;
  return {{"level", ceiling->level},
          {"bytes", ceiling->bytes},
          {"cgroup", text_or_null<Json>(ceiling->cgroup_path)}};
}

void put_assessment(Json& out, const model::ContainerView& view) {
  const model::Assessment& assessment = view.assessment;
  out["verdict"] = name(assessment.verdict);
  out["severity"] = name(assessment.severity);
  out["firing"] = assessment.firing;
  out["since"] = time_or_null<Json>(view.since_wall_ns);
  out["firing_since"] = time_or_null<Json>(view.firing_since_wall_ns);
  out["slope_bytes_per_s"] = assessment.slope_bytes_per_s;
  out["eta_s"] = told_eta_json<Json>(assessment);
  out["ceiling"] = ceiling_json(view.ceiling);
  out["unreclaimable_bytes"] = value_or_null<Json>(view.unreclaimable_bytes);
  out["trough_bytes"] = value_or_null<Json>(assessment.trough_bytes);
  out["swing_bytes"] = value_or_null<Json>(assessment.swing_bytes);
  out["window_s"] = value_or_null<Json>(assessment.window_s);
  out["grows"] = view.grows;
  out["drivers"] = Json::array();
  out["reasons"] = reasons_json<Json>(assessment);
  out["sentence"] = verdict_sentence(assessment, view.ceiling);
}

void put_usage(Json& out, const model::ContainerView& view) {
  out["usage_bytes"] = view.latest.time_ns ? Json(view.latest.usage_bytes) : Json();
  out["classes"] = classes_json<Json>(view.classes);
  out["pressure_full_avg10_percent"] = value_or_null<Json>(view.latest.pressure_full_avg10_percent);
  out["growth_virtual_bytes"] = value_or_null<Json>(view.growth_virtual_bytes);
  out["growth_virtual_bytes_per_s"] = value_or_null<Json>(view.growth_virtual_bytes_per_s);
  out["processes"] = view.processes;
  out["threads"] = value_or_null<Json>(view.threads);
  out["open_files"] = value_or_null<Json>(view.open_files);
}

Json container_json(const model::ContainerView& view, const std::string& node) {
  Json out;
  // A string: an inode may pass 2^53, where readers of JSON begin to round.
  out["id"] = std::to_string(view.container.id);
  put_names(out, view.container, node);
  put_assessment(out, view);
  put_usage(out, view);
  return out;
}

Json counters_json(const std::vector<model::Counter>& counters) {
  Json out = Json::object();
  for (const model::Counter& counter : counters) out[counter.name] = counter.value;
  return out;
}

Json hooks_json(const model::Status& status) {
  Json list = Json::array();
  for (const model::Hook& hook : status.hooks)
    list.push_back({{"name", hook.name},
                    {"rung", hook.rung},
                    {"attached", hook.attached},
                    {"reason", text_or_null<Json>(hook.reason)}});
  return list;
}

// Those in danger first, then by what is left of their time, then by name.
bool more_at_risk(const model::ContainerView* a, const model::ContainerView* b) {
  auto rank = [](const model::ContainerView& view) {
    const model::Assessment& assessment = view.assessment;
    double eta_s = assessment.eta && assessment.reliable ? assessment.eta->p50_s : 1e18;
    return std::tuple(-static_cast<int>(assessment.severity), eta_s,
                      std::tie(view.container.namespace_name, view.container.pod,
                               view.container.container, view.container.id));
  };
  return rank(*a) < rank(*b);
}

}  // namespace

std::string containers_json(const model::Snapshot& snapshot) {
  std::vector<const model::ContainerView*> views;
  views.reserve(snapshot.containers.size());
  for (const model::ContainerView& view : snapshot.containers) views.push_back(&view);
  std::sort(views.begin(), views.end(), more_at_risk);
  Json list = Json::array();
  for (const model::ContainerView* view : views)
    list.push_back(container_json(*view, snapshot.status.node));
  return dump(list);
}

std::string status_json(const model::Snapshot& snapshot) {
  const model::Status& status = snapshot.status;
  Json out;
  out["version"] = text_or_null<Json>(status.version);
  out["node"] = text_or_null<Json>(status.node);
  out["kernel"] = text_or_null<Json>(status.kernel);
  out["cgroup_mode"] = text_or_null<Json>(status.cgroup_mode);
  out["started"] = time_or_null<Json>(status.started_wall_ns);
  out["time"] = time_or_null<Json>(snapshot.wall_time_ns);
  out["ready"] = status.ready;
  out["degraded"] = status.degraded;
  out["degraded_because"] = status.degraded_because;
  out["hooks"] = hooks_json(status);
  out["losses"] = counters_json(status.losses);
  out["errors"] = counters_json(status.errors);
  out["containers"] = status.containers;
  out["loop_wakeups"] = status.loop_wakeups;
  out["cpu_seconds"] = status.cpu_seconds;
  out["resident_bytes"] = status.resident_bytes;
  out["bpf_map_bytes"] = status.bpf_map_bytes;
  return dump(out);
}

std::string error_json(const std::string& message) { return dump(Json{{"error", message}}); }

std::string replay_line(double time_s, std::string_view event,
                        const model::Assessment& assessment) {
  Json out;
  out["time_s"] = time_s;
  out["event"] = event;
  out["severity"] = name(assessment.severity);
  out["verdict"] = name(assessment.verdict);
  out["eta_s"] = eta_json<Json>(assessment);
  out["reliable"] = assessment.reliable;
  out["trend_event"] = text_or_null<Json>(std::string(assessment.trend_event));
  out["slope_bytes_per_s"] = assessment.slope_bytes_per_s;
  out["reasons"] = reasons_json<Json>(assessment);
  return dump(out);
}

}  // namespace oomen::sink
