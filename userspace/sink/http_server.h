// One HTTP server for metrics, health and the API. Read-only; answers from the published snapshot,
// never from the loop.
#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "sink/publication.h"

namespace oomen::sink {

struct HttpOptions {
  std::string listen =
      "127.0.0.1:9747";  // ADDRESS:PORT, [V6]:PORT or :PORT; port 0 takes a free one
};

class HttpServer {
 public:
  // A busy port, a malformed address: an error that names it. `publication` outlives the server.
  static base::Result<std::unique_ptr<HttpServer>> start(const HttpOptions& options,
                                                         const Publication& publication);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;  // the one in use

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace oomen::sink
