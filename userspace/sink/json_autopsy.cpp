#include <nlohmann/json.hpp>

#include "sink/json.h"
#include "sink/json_parts.h"

namespace oomen::sink {
namespace {
using Json = nlohmann::ordered_json;

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
  for (const model::UsagePoint& point : autopsy.last_minutes)
    list.push_back(
        {{"before_death_s",
          (static_cast<double>(autopsy.time_ns) - static_cast<double>(point.time_ns)) / 1e9},
         {"usage_bytes", point.usage_bytes},
         {"unreclaimable_bytes", value_or_null<Json>(point.unreclaimable_bytes)}});
  return list;
}

Json forecast_json(const model::Autopsy& autopsy) {
  if (!autopsy.forecast) return nullptr;
  const model::Assessment& forecast = *autopsy.forecast;
  return {{"verdict", name(forecast.verdict)},
          {"severity", name(forecast.severity)},
          {"firing", forecast.firing},
          {"eta_s", told_eta_json<Json>(forecast)},
          {"slope_bytes_per_s", forecast.slope_bytes_per_s},
          {"reasons", reasons_json<Json>(forecast)}};
}

void put_death(Json& out, const model::Autopsy& autopsy) {
  out["kind"] = text_or_null<Json>(autopsy.kind);
  out["constraint"] = text_or_null<Json>(autopsy.constraint);
  out["group"] = autopsy.group;
  out["child"] = autopsy.child;
  out["killer"] = text_or_null<Json>(autopsy.killer);
  out["killer_cgroup"] = text_or_null<Json>(autopsy.killer_cgroup);
  out["exit_code"] = value_or_null<Json>(autopsy.exit_code);
  out["signal"] = value_or_null<Json>(autopsy.signal);
  out["victim_pid"] = autopsy.victim_pid > 0 ? Json(autopsy.victim_pid) : Json();
  out["victim_comm"] = text_or_null<Json>(autopsy.victim_comm);
  out["victim_cgroup"] = text_or_null<Json>(autopsy.victim_cgroup);
  out["limit_owner_cgroup"] = text_or_null<Json>(autopsy.limit_owner_cgroup);
  out["limit_bytes"] = value_or_null<Json>(autopsy.limit_bytes);
  out["usage_bytes"] = value_or_null<Json>(autopsy.usage_bytes);
}

// Without what makes one long (ten minutes of usage, every process): a list of hundreds is asked
// for within milliseconds of a death.
Json autopsy_object(const model::Autopsy& autopsy, const std::string& node) {
  Json out;
  out["id"] = autopsy.id;
  out["time"] = time_or_null<Json>(autopsy.wall_time_ns);
  put_names(out, autopsy.container, node);
  put_death(out, autopsy);
  out["first_alert_time"] = time_or_null<Json>(autopsy.first_alert_wall_ns);
  out["forecast"] = forecast_json(autopsy);
  out["reconciles"] = Json::array();
  out["witnesses"] = witnesses_json(autopsy);
  out["disagreements"] = autopsy.disagreements;
  out["sentence"] = autopsy_sentence(autopsy);
  return out;
}

}  // namespace

std::string autopsies_json(const model::Snapshot& snapshot) {
  Json list = Json::array();
  for (const auto& autopsy : snapshot.autopsies)
    list.push_back(autopsy_object(*autopsy, snapshot.status.node));
  return dump(list);
}

std::string autopsy_json(const model::Autopsy& autopsy, const std::string& node) {
  Json out = autopsy_object(autopsy, node);
  out["last_minutes"] = last_minutes_json(autopsy);
  out["processes"] = processes_json(autopsy);
  return dump(out);
}

}  // namespace oomen::sink
