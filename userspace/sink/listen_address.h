// ADDRESS:PORT as people write it. Pure.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.h"

namespace oomen::sink {

struct ListenAddress {
  std::string host;  // numeric IPv4 or IPv6 without brackets; "" every address of the machine
  uint16_t port = 0;
  bool v6 = false;

  std::string text() const;  // "127.0.0.1:9747", "[::1]:9747", ":9747"
};

// "127.0.0.1:9747", "[::1]:9747", "localhost:9747", ":9747"; port 0 takes a free one.
base::Result<ListenAddress> parse_listen_address(const std::string& text);

}  // namespace oomen::sink
