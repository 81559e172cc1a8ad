#include "sink/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/clock.h"
#include "sink/sentence.h"

namespace oomen::sink {
namespace {
using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json time_or_null(const std::optional<uint64_t>& wall_ns) {
  return wall_ns && *wall_ns ? Json(base::rfc3339_utc(*wall_ns)) : Json();
}

// Names come from outside and may hold any bytes; those that are not UTF-8 become U+FFFD, never an
// exception.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json eta_json(const model::Assessment& assessment) {
  if (!assessment.eta) return nullptr;
  const model::Eta& eta = *assessment.eta;
  return {{"p10", eta.p10_s}, {"p50", eta.p50_s}, {"p90", eta.p90_s}};
}

// Only a reliable ETA is told to people.
Json told_eta_json(const model::Assessment& assessment) {
  return assessment.reliable ? eta_json(assessment) : Json();
}

Json reasons_json(const model::Assessment& assessment) {
  Json list = Json::array();
  for (const model::Reason& reason : assessment.reasons) {
    Json figures = Json::object();
    for (const model::Figure& figure : reason.figures)
      figures[std::string(figure.name)] = figure.value;
    list.push_back({{"code", reason.code},
                    {"against", reason.against},
                    {"figures", std::move(figures)},
                    {"text", reason_sentence(reason)}});
  }
  return list;
}

Json classes_json(const std::optional<model::MemoryClasses>& known) {
  if (!known) return nullptr;
  const model::MemoryClasses& c = *known;
  return {{"anon_bytes", value_or_null(c.anon)},
          {"shmem_bytes", value_or_null(c.shmem)},
          {"file_bytes", value_or_null(c.file)},
          {"active_file_bytes", value_or_null(c.active_file)},
          {"inactive_file_bytes", value_or_null(c.inactive_file)},
          {"slab_reclaimable_bytes", value_or_null(c.slab_reclaimable)},
          {"slab_unreclaimable_bytes", value_or_null(c.slab_unreclaimable)},
          {"sock_bytes", value_or_null(c.sock)},
          {"kernel_stack_bytes", value_or_null(c.kernel_stack)},
          {"page_tables_bytes", value_or_null(c.page_tables)},
          {"percpu_bytes", value_or_null(c.percpu)},
          {"vmalloc_bytes", value_or_null(c.vmalloc)},
          {"kernel_bytes", value_or_null(c.kernel)},
          {"swap_bytes", value_or_null(c.swap)}};
}

Json ceiling_json(const std::optional<model::Ceiling>& ceiling) {
  if (!ceiling) return nullptr;
  return {{"level", ceiling->level},
          {"bytes", ceiling->bytes},
          {"cgroup", text_or_null(ceiling->cgroup_path)}};
}

Json owner_json(const model::Owner& owner) {
  return {{"kind", text_or_null(owner.kind)},
          {"name", text_or_null(owner.name)},
          {"derived", owner.derived}};
}

// Names and identity, the same in both lists.
void put_names(Json& out, const model::Container& container, const std::string& node) {
  out["namespace"] = text_or_null(container.namespace_name);
  out["pod"] = text_or_null(container.pod);
  out["container"] = text_or_null(container.container);
  out["node"] = text_or_null(node);
  out["owner"] = owner_json(container.owner);
  out["qos"] = text_or_null(container.identity.qos);
  out["pod_uid"] = text_or_null(container.identity.pod_uid);
  out["container_id"] = text_or_null(container.identity.container_id);
  out["runtime"] = text_or_null(container.identity.runtime);
  out["cgroup"] = text_or_null(container.cgroup_path);
}

void put_assessment(Json& out, const model::ContainerView& view) {
  const model::Assessment& assessment = view.assessment;
  out["verdict"] = name(assessment.verdict);
  out["severity"] = name(assessment.severity);
  out["firing"] = assessment.firing;
  out["since"] = time_or_null(view.since_wall_ns);
  out["firing_since"] = time_or_null(view.firing_since_wall_ns);
  out["slope_bytes_per_s"] = assessment.slope_bytes_per_s;
  out["eta_s"] = told_eta_json(assessment);
  out["ceiling"] = ceiling_json(view.ceiling);
  out["unreclaimable_bytes"] = value_or_null(view.unreclaimable_bytes);
  out["trough_bytes"] = value_or_null(assessment.trough_bytes);
  out["swing_bytes"] = value_or_null(assessment.swing_bytes);
  out["window_s"] = value_or_null(assessment.window_s);
  out["grows"] = view.grows;
  out["drivers"] = Json::array();
  out["reasons"] = reasons_json(assessment);
  out["sentence"] = verdict_sentence(assessment, view.ceiling);
}

void put_usage(Json& out, const model::ContainerView& view) {
  out["usage_bytes"] = view.latest.time_ns ? Json(view.latest.usage_bytes) : Json();
  out["classes"] = classes_json(view.classes);
  out["pressure_full_avg10_percent"] = value_or_null(view.latest.pressure_full_avg10_percent);
  out["growth_virtual_bytes"] = value_or_null(view.growth_virtual_bytes);
  out["growth_virtual_bytes_per_s"] = value_or_null(view.growth_virtual_bytes_per_s);
  out["processes"] = view.processes;
  out["threads"] = value_or_null(view.threads);
  out["open_files"] = value_or_null(view.open_files);
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

// CLOCK_BOOTTIME of something near the death, told on the wall clock of the death.
Json witness_time(const model::Witness& witness, const model::Autopsy& autopsy) {
  if (!witness.time_ns || !autopsy.wall_time_ns) return nullptr;
  return base::rfc3339_utc(autopsy.wall_time_ns + (witness.time_ns - autopsy.time_ns));
}

Json witnesses_json(const model::Autopsy& autopsy) {
  Json list = Json::array();
  for (const model::Witness& witness : autopsy.witnesses)
    list.push_back({{"source", witness.source},
                    {"time", witness_time(witness, autopsy)},
                    {"says", witness.says}});
  return list;
}

Json processes_json(const model::Autopsy& autopsy) {
  Json list = Json::array();
  for (const model::ProcessSample& process : autopsy.processes)
    list.push_back({{"pid", process.pid},
                    {"parent_pid", process.parent_pid},
                    {"comm", process.comm},
                    {"anon_bytes", process.anon_bytes},
                    {"file_bytes", process.file_bytes},
                    {"shmem_bytes", process.shmem_bytes},
                    {"swap_bytes", process.swap_bytes},
                    {"virtual_bytes", process.virtual_bytes},
                    {"threads", process.threads},
                    {"open_files", process.open_files}});
  return list;
}

Json last_minutes_json(const model::Autopsy& autopsy) {
  Json list = Json::array();
  for (const model::Sample& sample : autopsy.last_minutes)
    list.push_back(
        {{"before_death_s",
          (static_cast<double>(autopsy.time_ns) - static_cast<double>(sample.time_ns)) / 1e9},
         {"usage_bytes", sample.usage_bytes},
         {"unreclaimable_bytes", value_or_null(sample.unreclaimable_bytes)},
         {"classes", classes_json(sample.classes)}});
  return list;
}

Json forecast_json(const model::Autopsy& autopsy) {
  if (!autopsy.forecast) return nullptr;
  const model::Assessment& forecast = *autopsy.forecast;
  return {{"verdict", name(forecast.verdict)},
          {"severity", name(forecast.severity)},
          {"firing", forecast.firing},
          {"eta_s", told_eta_json(forecast)},
          {"slope_bytes_per_s", forecast.slope_bytes_per_s},
          {"reasons", reasons_json(forecast)}};
}

void put_death(Json& out, const model::Autopsy& autopsy) {
  out["kind"] = text_or_null(autopsy.kind);
  out["constraint"] = text_or_null(autopsy.constraint);
  out["group"] = autopsy.group;
  out["child"] = autopsy.child;
  out["killer"] = text_or_null(autopsy.killer);
  out["killer_cgroup"] = text_or_null(autopsy.killer_cgroup);
  out["exit_code"] = value_or_null(autopsy.exit_code);
  out["signal"] = value_or_null(autopsy.signal);
  out["victim_pid"] = autopsy.victim_pid > 0 ? Json(autopsy.victim_pid) : Json();
  out["victim_comm"] = text_or_null(autopsy.victim_comm);
  out["victim_cgroup"] = text_or_null(autopsy.victim_cgroup);
  out["limit_owner_cgroup"] = text_or_null(autopsy.limit_owner_cgroup);
  out["limit_bytes"] = value_or_null(autopsy.limit_bytes);
  out["usage_bytes"] = value_or_null(autopsy.usage_bytes);
}

Json autopsy_object(const model::Autopsy& autopsy, const std::string& node) {
  Json out;
  out["id"] = autopsy.id;
  out["time"] = time_or_null(autopsy.wall_time_ns);
  put_names(out, autopsy.container, node);
  put_death(out, autopsy);
  out["first_alert_time"] = time_or_null(autopsy.first_alert_wall_ns);
  out["forecast"] = forecast_json(autopsy);
  out["last_minutes"] = last_minutes_json(autopsy);
  out["processes"] = processes_json(autopsy);
  out["reconciles"] = Json::array();
  out["witnesses"] = witnesses_json(autopsy);
  out["disagreements"] = autopsy.disagreements;
  out["sentence"] = autopsy_sentence(autopsy);
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
                    {"reason", text_or_null(hook.reason)}});
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
  for (const model::ContainerView& view : snapshot.containers) views.push_back(&view);
  std::sort(views.begin(), views.end(), more_at_risk);
  Json list = Json::array();
  for (const model::ContainerView* view : views)
    list.push_back(container_json(*view, snapshot.status.node));
  return dump(list);
}

std::string autopsies_json(const model::Snapshot& snapshot) {
  Json list = Json::array();
  for (const auto& autopsy : snapshot.autopsies)
    list.push_back(autopsy_object(*autopsy, snapshot.status.node));
  return dump(list);
}

std::string status_json(const model::Snapshot& snapshot) {
  const model::Status& status = snapshot.status;
  Json out;
  out["version"] = text_or_null(status.version);
  out["node"] = text_or_null(status.node);
  out["kernel"] = text_or_null(status.kernel);
  out["cgroup_mode"] = text_or_null(status.cgroup_mode);
  out["started"] = time_or_null(status.started_wall_ns);
  out["time"] = time_or_null(snapshot.wall_time_ns);
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

std::string autopsy_json(const model::Autopsy& autopsy, const std::string& node) {
  return dump(autopsy_object(autopsy, node));
}

std::string error_json(const std::string& message) { return dump(Json{{"error", message}}); }

std::string replay_line(double time_s, std::string_view event,
                        const model::Assessment& assessment) {
  Json out;
  out["time_s"] = time_s;
  out["event"] = event;
  out["severity"] = name(assessment.severity);
  out["verdict"] = name(assessment.verdict);
  out["eta_s"] = eta_json(assessment);
  out["reliable"] = assessment.reliable;
  out["trend_event"] = text_or_null(std::string(assessment.trend_event));
  out["slope_bytes_per_s"] = assessment.slope_bytes_per_s;
  out["reasons"] = reasons_json(assessment);
  return dump(out);
}

}  // namespace oomen::sink
