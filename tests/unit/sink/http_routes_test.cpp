#include "sink/http_routes.h"

#include <gtest/gtest.h>

#include "snapshots.h"

namespace oomen::sink {
namespace {

constexpr uint64_t kSecond_ns = 1'000'000'000;

TEST(HttpRoutes, HealthIsTheAgeOfTheLoopsHeartbeat) {
  model::Snapshot snapshot = snapshot_of({});
  snapshot.status.loop_heartbeat_s = 100;
  EXPECT_EQ(answer_request("GET", "/healthz", &snapshot, 100 * kSecond_ns).status, 200);
  EXPECT_EQ(answer_request("GET", "/healthz", &snapshot, 110 * kSecond_ns).status, 200);
  HttpAnswer late = answer_request("GET", "/healthz", &snapshot, 131 * kSecond_ns);
  EXPECT_EQ(late.status, 503);
  EXPECT_EQ(late.body, R"({"error":"the agent's loop last turned 31 s ago"})");
}

TEST(HttpRoutes, AHeartbeatTakenWhileTheRequestCameIsHealthy) {
  model::Snapshot snapshot = snapshot_of({});
  snapshot.status.loop_heartbeat_s = 100.5;
  EXPECT_EQ(answer_request("GET", "/healthz", &snapshot, 100 * kSecond_ns).status, 200);
}

TEST(HttpRoutes, ReadinessIsTheLoops) {
  model::Snapshot snapshot = snapshot_of({});
  EXPECT_EQ(answer_request("GET", "/readyz", &snapshot, 0).status, 503);
  snapshot.status.ready = true;
  EXPECT_EQ(answer_request("GET", "/readyz", &snapshot, 0).status, 200);
}

TEST(HttpRoutes, OnlyReads) {
  model::Snapshot snapshot = snapshot_of({});
  EXPECT_EQ(answer_request("HEAD", "/metrics", &snapshot, 0).status, 200);
  EXPECT_EQ(answer_request("POST", "/metrics", &snapshot, 0).status, 405);
  EXPECT_EQ(answer_request("POST", "/nowhere", &snapshot, 0).status, 404);
}

TEST(HttpRoutes, OneAutopsyIsFoundByItsId) {
  model::Snapshot snapshot = snapshot_of({});
  snapshot.autopsies = {std::make_shared<model::Autopsy>(killed_at_limit())};
  HttpAnswer one = answer_request("GET", "/api/v1/autopsies/n1-1", &snapshot, 0);
  EXPECT_EQ(one.status, 200);
  EXPECT_NE(one.body.find("\"last_minutes\":"), std::string::npos);
  EXPECT_EQ(answer_request("GET", "/api/v1/autopsies/n1-2", &snapshot, 0).status, 404);
  EXPECT_EQ(answer_request("GET", "/api/v1/autopsies/", &snapshot, 0).status, 404);
  EXPECT_EQ(answer_request("DELETE", "/api/v1/autopsies/n1-1", &snapshot, 0).status, 405);
}

TEST(HttpRoutes, NothingIsMadeUpBeforeTheFirstSnapshot) {
  for (const char* path : {"/metrics", "/healthz", "/readyz", "/api/v1/containers",
                           "/api/v1/autopsies", "/api/v1/status"})
    EXPECT_EQ(answer_request("GET", path, nullptr, 0).status, 503) << path;
}

TEST(HttpRoutes, ErrorsAreJsonWhateverTheirText) {
  HttpAnswer answer = error_answer(400, "a\"b\xff");
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(answer.body, "{\"error\":\"a\\\"b\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace oomen::sink
