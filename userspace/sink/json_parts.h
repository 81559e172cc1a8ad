// What the JSON texts have in common, over any JSON type shaped like nlohmann's: so its header
// stays in the .cpp files.
#pragma once
#include <optional>
#include <string>

#include "base/clock.h"
#include "model/autopsy.h"
#include "sink/memory_classes.h"
#include "sink/sentence.h"

namespace oomen::sink {

template <class Json>
Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

template <class Json, class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

template <class Json>
Json time_or_null(const std::optional<uint64_t>& wall_ns) {
  return wall_ns && *wall_ns ? Json(base::rfc3339_utc(*wall_ns)) : Json();
}

template <class Json>
Json eta_json(const model::Assessment& assessment) {
  if (!assessment.eta) return nullptr;
  const model::Eta& eta = *assessment.eta;
  return {{"p10", eta.p10_s}, {"p50", eta.p50_s}, {"p90", eta.p90_s}};
}

// Only a reliable ETA is told to people.
template <class Json>
Json told_eta_json(const model::Assessment& assessment) {
  return assessment.reliable ? eta_json<Json>(assessment) : Json();
}

template <class Json>
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

template <class Json>
Json classes_json(const std::optional<model::MemoryClasses>& known) {
  if (!known) return nullptr;
  Json out = Json::object();
  for (const MemoryClassName& row : kMemoryClasses)
    out[row.name] = value_or_null<Json>((*known).*row.bytes);
  return out;
}

template <class Json>
Json owner_json(const model::Owner& owner) {
  return {{"kind", text_or_null<Json>(owner.kind)},
          {"name", text_or_null<Json>(owner.name)},
          {"derived", owner.derived}};
}

// Names and identity, the same in both lists.
template <class Json>
void put_names(Json& out, const model::Container& container, const std::string& node) {
  out["namespace"] = text_or_null<Json>(container.namespace_name);
  out["pod"] = text_or_null<Json>(container.pod);
  out["container"] = text_or_null<Json>(container.container);
  out["node"] = text_or_null<Json>(node);
  out["owner"] = owner_json<Json>(container.owner);
  out["qos"] = text_or_null<Json>(container.identity.qos);
  out["pod_uid"] = text_or_null<Json>(container.identity.pod_uid);
  out["container_id"] = text_or_null<Json>(container.identity.container_id);
  out["runtime"] = text_or_null<Json>(container.identity.runtime);
  out["cgroup"] = text_or_null<Json>(container.cgroup_path);
}

// Names come from outside and may hold any bytes; those that are not UTF-8 become U+FFFD, never an
// exception.
template <class Json>
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace oomen::sink
