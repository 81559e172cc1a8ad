#include "sink/listen_address.h"

#include <arpa/inet.h>

#include "base/text.h"

namespace oomen::sink {
namespace {

base::Error malformed(const std::string& text, const std::string& why) {
  return base::input_error("listen address '" + text + "': " + why +
                           "; expected ADDRESS:PORT, such as 127.0.0.1:9747, [::1]:9747 or :9747");
}

bool is_address(int family, const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(family, host.c_str(), bytes) == 1;
}

}  // namespace

std::string ListenAddress::text() const {
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

base::Result<ListenAddress> parse_listen_address(const std::string& text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos) return malformed(text, "no port");
  auto port = base::parse_number<uint16_t>(std::string_view(text).substr(colon + 1));
  if (!port) return malformed(text, "the port is not a number of 0 to 65535");
  ListenAddress address{text.substr(0, colon), *port, false};
  std::string& host = address.host;
  if (host.empty()) return address;
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    address.v6 = true;
  }
  if (!is_address(address.v6 ? AF_INET6 : AF_INET, host))
    return malformed(text, "'" + text.substr(0, colon) + "' is not an IP address");
  return address;
}

}  // namespace oomen::sink
