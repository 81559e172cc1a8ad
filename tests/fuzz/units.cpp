// fuzz-sources: base/units
#include "base/units.h"

#include <cmath>

#include "target.h"

FUZZ(units) {
  if (auto bytes = oomen::base::parse_bytes(text))
    FUZZ_EXPECT(*bytes <= uint64_t{1} << 63);
  else
    FUZZ_EXPECT(bytes.error().bad_input && bytes.error().message.size() < 300);
  if (auto duration = oomen::base::parse_duration_s(text))
    FUZZ_EXPECT(std::isfinite(*duration) && *duration >= 0);
  else
    FUZZ_EXPECT(duration.error().bad_input && duration.error().message.size() < 300);
}
