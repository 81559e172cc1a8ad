#include "sink/http_server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/fd.h"
#include "sink/http_routes.h"
#include "sink/listen_address.h"

namespace oomen::sink {
namespace {

void send_answer(mg_connection* connection, const HttpAnswer& answer, bool with_body) {
  mg_printf(connection,
            "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n%s"
            "Connection: close\r\n\r\n",
            answer.status, mg_get_response_code_text(connection, answer.status),
            answer.content_type.c_str(), answer.body.size(),
            answer.status == 405 ? "Allow: GET, HEAD\r\n" : "");
  if (with_body) mg_write(connection, answer.body.data(), answer.body.size());
}

// On the server's own threads. Whatever is thrown (memory runs out, say) must not reach C.
int on_request(mg_connection* connection) {
  const mg_request_info* request = mg_get_request_info(connection);
  const auto* publication = static_cast<const Publication*>(request->user_data);
  std::string_view method = request->request_method;
  std::string_view path = request->local_uri ? request->local_uri : "";
  HttpAnswer answer;
  try {
    auto snapshot = publication->current();
    answer = answer_request(method, path, snapshot.get(), base::boottime_ns());
  } catch (...) {
    answer = {500, "text/plain", "the answer could not be made\n"};
  }
  send_answer(connection, answer, method != "HEAD");
  return answer.status;
}

int on_error(mg_connection* connection, int status, const char*) {
  send_answer(connection, error_answer(status, mg_get_response_code_text(connection, status)),
              true);
  return 0;
}

// A hostile client is no event of the agent, and a library does not log.
int on_message(const mg_connection*, const char*) { return 1; }

sockaddr_storage to_sockaddr(const ListenAddress& address, socklen_t& size) {
  sockaddr_storage storage{};
  if (address.v6) {
    auto* in = reinterpret_cast<sockaddr_in6*>(&storage);
    in->sin6_family = AF_INET6, in->sin6_port = htons(address.port);
    inet_pton(AF_INET6, address.host.c_str(), &in->sin6_addr);
    size = sizeof *in;
  } else {
    auto* in = reinterpret_cast<sockaddr_in*>(&storage);
    in->sin_family = AF_INET, in->sin_port = htons(address.port);
    if (!address.host.empty()) inet_pton(AF_INET, address.host.c_str(), &in->sin_addr);
    size = sizeof *in;
  }
  return storage;
}

// civetweb says only that it failed; the kernel says why when asked for the same again.
base::Error why_not(const ListenAddress& address) {
  socklen_t size = 0;
  sockaddr_storage where = to_sockaddr(address, size);
  base::Fd probe(socket(where.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  bool bound = probe.valid() && bind(probe.get(), reinterpret_cast<sockaddr*>(&where), size) == 0 &&
               listen(probe.get(), 1) == 0;
  if (bound) return {"listening on " + address.text() + ": the HTTP server did not start"};
  if (errno == EADDRINUSE)
    return {address.text() + " is in use by another process; another oomen agent? choose --listen",
            EADDRINUSE, true};
  return base::errno_error("listening on " + address.text());
}

std::string civetweb_port(const ListenAddress& address) {
  std::string port = std::to_string(address.port);
  if (!address.host.empty()) return address.text();
  // "+" listens on IPv6 and IPv4 alike, where the kernel has IPv6.
  base::Fd v6(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return v6.valid() && mg_check_feature(MG_FEATURES_IPV6) ? "+" + port : port;
}

mg_context* start_civetweb(const ListenAddress& address, const Publication& publication) {
  std::string port = civetweb_port(address);
  // Few threads and short waits: a client that dawdles holds one of them for seconds at most.
  // Requests here are a line and a few headers; answers close the connection, so that idle
  // scrapers hold no thread.
  const char* options[] = {"listening_ports",
                           port.c_str(),
                           "num_threads",
                           "4",
                           "request_timeout_ms",
                           "3000",
                           "enable_keep_alive",
                           "no",
                           "max_request_size",
                           "8192",

                           "linger_timeout_ms",
                           "1000",
                           "allow_sendfile_call",
                           "no",
                           "tcp_nodelay",
                           "1",
                           nullptr};
  mg_callbacks callbacks{};
  callbacks.begin_request = on_request;
  callbacks.http_error = on_error;
  callbacks.log_message = on_message;
  callbacks.log_access = on_message;
  mg_init_data init{&callbacks, const_cast<Publication*>(&publication), options};
  char text[256] = "";
  unsigned code = 0;
  mg_error_data error{&code, text, sizeof text};
  return mg_start2(&init, &error);
}

// A connection that asks nothing. civetweb's master thread looks at its stop flag only between
// connections, or every 2 s; the agent's end should not wait for that.
void knock(const ListenAddress& address) {
  socklen_t size = 0;
  sockaddr_storage where = to_sockaddr(address, size);
  base::Fd client(socket(where.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  (void)connect(client.get(), reinterpret_cast<sockaddr*>(&where), size);
}

}  // namespace

struct HttpServer::Impl {
  mg_context* context = nullptr;
  ListenAddress address;  // with the port in use

  ~Impl() {
    std::atomic<bool> stopped{false};
    std::thread waker([&] {
      while (!stopped) knock(address), std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    mg_stop(context);
    stopped = true;
    waker.join();
    mg_exit_library();
  }
};

base::Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpOptions& options,
                                                            const Publication& publication) {
  auto address = parse_listen_address(options.listen);
  if (!address) return std::move(address).error();
  mg_init_library(MG_FEATURES_IPV6);
  mg_context* context = start_civetweb(*address, publication);
  if (!context) {
    base::Error error = why_not(*address);
    mg_exit_library();
    return error;
  }
  mg_server_port bound{};
  if (mg_get_server_ports(context, 1, &bound) > 0)
    address->port = static_cast<uint16_t>(bound.port);
  return std::unique_ptr<HttpServer>(
      new HttpServer(std::unique_ptr<Impl>(new Impl{context, *address})));
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return impl_->address.port; }

}  // namespace oomen::sink
