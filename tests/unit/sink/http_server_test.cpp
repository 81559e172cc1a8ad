#include "sink/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "base/fd.h"

namespace oomen::sink {
namespace {

// A connection to the server under test, as raw as a hostile client's.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }

  bool connected() const { return connected_; }

  // Sends all of `request`, and nothing after it, and returns everything up to the server's close.
  std::string exchange(const std::string& request) {
    send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL);
    shutdown(socket_.get(), SHUT_WR);
    std::string reply;
    char buffer[4096];
    for (;;) {
      ssize_t n = recv(socket_.get(), buffer, sizeof buffer, 0);
      if (n <= 0) return reply;
      reply.append(buffer, static_cast<size_t>(n));
    }
  }

 private:
  base::Fd socket_;
  bool connected_ = false;
};

std::shared_ptr<model::Snapshot> live_snapshot() {
  auto snapshot = std::make_shared<model::Snapshot>();
  snapshot->status.node = "n1";
  snapshot->status.ready = true;
  snapshot->status.loop_heartbeat_s = base::seconds(base::boottime_ns());
  return snapshot;
}

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto started = HttpServer::start({"127.0.0.1:0"}, publication_);
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }
  std::string raw(const std::string& request) { return Client(server_->port()).exchange(request); }
  std::string get(const std::string& path) {
    return raw("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  static std::string status_of(const std::string& reply) { return reply.substr(9, 3); }
  static std::string body_of(const std::string& reply) {
    return reply.substr(reply.find("\r\n\r\n") + 4);
  }

  Publication publication_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, TakesAFreePort) { EXPECT_GT(server_->port(), 0); }

TEST_F(HttpServerTest, EverythingIsUnavailableBeforeTheFirstSnapshot) {
  for (const char* path : {"/metrics", "/healthz", "/readyz", "/api/v1/containers"})
    EXPECT_EQ(status_of(get(path)), "503") << path;
}

TEST_F(HttpServerTest, AnswersFromTheNewestSnapshot) {
  publication_.publish(live_snapshot());
  EXPECT_EQ(body_of(get("/api/v1/containers")), "[]");
  auto next = live_snapshot();
  next->containers.emplace_back().container.pod = "later";
  publication_.publish(next);
  EXPECT_NE(get("/api/v1/containers").find("\"pod\":\"later\""), std::string::npos);
}

TEST_F(HttpServerTest, ServesMetricsAsTextFormat) {
  publication_.publish(live_snapshot());
  std::string reply = get("/metrics");
  EXPECT_EQ(status_of(reply), "200");
  EXPECT_NE(reply.find("Content-Type: text/plain; version=0.0.4"), std::string::npos);
  EXPECT_NE(reply.find("\noomen_agent_degraded{node=\"n1\"} 0\n"), std::string::npos);
}

TEST_F(HttpServerTest, HeadHasTheLengthButNoBody) {
  publication_.publish(live_snapshot());
  std::string reply = raw("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(status_of(reply), "200");
  EXPECT_NE(reply.find("Content-Length: 3\r\n"), std::string::npos);
  EXPECT_EQ(body_of(reply), "");
}

TEST_F(HttpServerTest, OtherMethodsAreRefusedByName) {
  publication_.publish(live_snapshot());
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    std::string reply = raw(std::string(method) + " /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(status_of(reply), "405") << method;
    EXPECT_NE(reply.find("Allow: GET, HEAD\r\n"), std::string::npos) << method;
  }
}

TEST_F(HttpServerTest, ARequestBodyDoesNotDisturbTheAnswer) {
  EXPECT_EQ(status_of(raw("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")),
            "405");
}

TEST_F(HttpServerTest, UnknownPathsAreNotFoundInJson) {
  for (const char* path :
       {"/", "/nothing", "/metrics/", "/api/v1", "/../etc/passwd", "/%2e%2e/x"}) {
    std::string reply = get(path);
    EXPECT_EQ(status_of(reply), "404") << path;
    EXPECT_NE(body_of(reply).find("{\"error\":"), std::string::npos) << path;
  }
}

TEST_F(HttpServerTest, AQueryStringIsNoPartOfThePath) {
  publication_.publish(live_snapshot());
  EXPECT_EQ(status_of(get("/healthz?verbose=1")), "200");
}

TEST_F(HttpServerTest, HostileBytesCostAClientError) {
  const std::string requests[] = {
      "\r\n\r\n\r\n\r\n",
      "GET\r\n\r\n",
      "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /\xff\xfe\x01 HTTP/1.1\r\nHost: x\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n",
      "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n",
      "GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "GET http://[::::/ HTTP/1.1\r\nHost: x\r\n\r\n",
  };
  for (const std::string& request : requests) {
    std::string reply = raw(request);
    // Refused with a 4xx, or hung up on; never served, never an error of the server.
    if (!reply.empty()) {
      EXPECT_EQ(reply.substr(9, 1), "4") << request.substr(0, 60) << "\n" << reply;
    }
  }
  publication_.publish(live_snapshot());
  EXPECT_EQ(status_of(get("/healthz")), "200");
}

TEST_F(HttpServerTest, AClientThatHangsUpHalfwayHarmsNobody) {
  publication_.publish(live_snapshot());
  for (int i = 0; i < 20; ++i) {
    Client client(server_->port());
    ASSERT_TRUE(client.connected());
  }
  EXPECT_EQ(status_of(get("/healthz")), "200");
}

TEST_F(HttpServerTest, ReadersAndThePublisherDoNotWaitForEachOther) {
  publication_.publish(live_snapshot());
  std::atomic<bool> done{false};
  std::thread publisher([&] {
    while (!done) publication_.publish(live_snapshot());
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(status_of(get("/api/v1/status")), "200");
  done = true;
  publisher.join();
}

TEST_F(HttpServerTest, ABusyPortIsNamed) {
  std::string address = "127.0.0.1:" + std::to_string(server_->port());
  auto second = HttpServer::start({address}, publication_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            address + " is in use by another process; another oomen agent? choose --listen");
}

TEST(HttpServer, AnAddressOfAnotherMachineIsNamed) {
  Publication publication;
  auto server = HttpServer::start({"192.0.2.1:0"}, publication);
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().message.find("192.0.2.1:0"), std::string::npos);
}

TEST(HttpServer, AMalformedAddressIsBadInput) {
  Publication publication;
  auto server = HttpServer::start({"nowhere"}, publication);
  ASSERT_FALSE(server);
  EXPECT_TRUE(server.error().bad_input);
}

TEST(HttpServer, StopsAndItsPortIsFreeAtOnce) {
  Publication publication;
  auto first = HttpServer::start({"127.0.0.1:0"}, publication);
  ASSERT_TRUE(first);
  std::string address = "127.0.0.1:" + std::to_string((*first)->port());
  (*first).reset();
  auto second = HttpServer::start({address}, publication);
  EXPECT_TRUE(second) << second.error().message;
}

TEST(HttpServer, ListensEverywhereWithoutAnAddress) {
  Publication publication;
  auto server = HttpServer::start({":0"}, publication);
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_TRUE(Client((*server)->port()).connected());
}

}  // namespace
}  // namespace oomen::sink
