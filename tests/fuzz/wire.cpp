// fuzz-sources: source/wire_decoder
#include <cstddef>
#include <span>

#include "source/wire_decoder.h"
#include "target.h"

FUZZ(wire) {
  auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  oomen::source::WireDecoder decoder(4096);
  uint64_t before = decoder.malformed();
  // The same bytes again are told already or malformed again; never anything else.
  if (!decoder.decode(bytes)) FUZZ_EXPECT(!decoder.decode(bytes));
  FUZZ_EXPECT(decoder.malformed() >= before);
  FUZZ_EXPECT(decoder.decode_processes(bytes).size() <= text.size());
}
