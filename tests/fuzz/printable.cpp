// fuzz-sources: sink/printable
#include "sink/printable.h"

#include "target.h"

FUZZ(printable) {
  std::string clean = oomen::sink::printable(text);
  for (char c : clean) FUZZ_EXPECT(static_cast<unsigned char>(c) >= ' ' && c != 127);
  FUZZ_EXPECT(oomen::sink::printable(clean) == clean);
}
