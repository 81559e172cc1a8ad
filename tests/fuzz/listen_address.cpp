// fuzz-sources: sink/listen_address
#include "sink/listen_address.h"

#include <string>

#include "target.h"

FUZZ(listen_address) {
  auto address = oomen::sink::parse_listen_address(std::string(text));
  if (!address) return;
  // Its own text means the same.
  auto again = oomen::sink::parse_listen_address(address->text());
  FUZZ_EXPECT(again && again->text() == address->text() && again->port == address->port);
}
