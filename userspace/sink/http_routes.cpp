#include "sink/http_routes.h"

#include <array>

#include "base/units.h"
#include "sink/json.h"
#include "sink/metrics.h"

namespace oomen::sink {
namespace {
using model::Snapshot;

constexpr double kHeartbeatLimit_s = 10;
constexpr const char* kJson = "application/json";
constexpr const char* kPlain = "text/plain; charset=utf-8";

HttpAnswer health(const Snapshot* snapshot, double now_s) {
  if (!snapshot) return error_answer(503, "the agent's loop has not begun");
  double age_s = now_s - snapshot->status.loop_heartbeat_s;
  if (age_s > kHeartbeatLimit_s)
    return error_answer(503,
                        "the agent's loop last turned " + base::format_duration(age_s) + " ago");
  return {200, kPlain, "ok\n"};
}

HttpAnswer readiness(const Snapshot* snapshot, double) {
  if (!snapshot || !snapshot->status.ready)
    return error_answer(503, "the agent has not read every container yet");
  return {200, kPlain, "ready\n"};
}

template <std::string (*kRender)(const Snapshot&)>
HttpAnswer rendered(const Snapshot* snapshot, double) {
  if (!snapshot) return error_answer(503, "the agent has not published anything yet");
  return {200, kJson, kRender(*snapshot)};
}

HttpAnswer metrics(const Snapshot* snapshot, double now_s) {
  HttpAnswer answer = rendered<render_metrics>(snapshot, now_s);
  if (answer.status == 200) answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return answer;
}

struct Route {
  std::string_view path;
  HttpAnswer (*answer)(const Snapshot*, double now_s);
};

constexpr std::array<Route, 6> kRoutes{{{"/metrics", metrics},
                                        {"/healthz", health},
                                        {"/readyz", readiness},
                                        {"/api/v1/containers", rendered<containers_json>},
                                        {"/api/v1/autopsies", rendered<autopsies_json>},
                                        {"/api/v1/status", rendered<status_json>}}};

constexpr std::string_view kOneAutopsy = "/api/v1/autopsies/";

HttpAnswer one_autopsy(std::string_view id, const Snapshot& snapshot) {
  for (const auto& autopsy : snapshot.autopsies)
    if (autopsy->id == id) return {200, kJson, autopsy_json(*autopsy, snapshot.status.node)};
  return error_answer(404, "there is no autopsy of this id; only the last ones are kept");
}

HttpAnswer routed(std::string_view path, const Snapshot* snapshot, double now_s) {
  for (const Route& route : kRoutes)
    if (route.path == path) return route.answer(snapshot, now_s);
  if (snapshot && path.starts_with(kOneAutopsy))
    return one_autopsy(path.substr(kOneAutopsy.size()), *snapshot);
  return error_answer(404, "nothing is served at this path");
}

}  // namespace

HttpAnswer answer_request(std::string_view method, std::string_view path, const Snapshot* snapshot,
                          uint64_t boottime_ns) {
  HttpAnswer answer = routed(path, snapshot, static_cast<double>(boottime_ns) / 1e9);
  bool reads = method == "GET" || method == "HEAD";
  if (reads || answer.status == 404) return answer;
  return error_answer(405, "this server only reads: GET or HEAD");
}

HttpAnswer error_answer(int status, const std::string& message) {
  return {status, kJson, error_json(message)};
}

}  // namespace oomen::sink
