// fuzz-sources: app/replay_input
#include "app/replay_input.h"

#include <cmath>

#include "base/text.h"
#include "target.h"

FUZZ(replay_input) {
  oomen::app::ReplayInput input("file");
  double last = -HUGE_VAL;
  while (!text.empty()) {
    auto sample = input.line(oomen::base::take_until(text, '\n'));
    if (!sample) {
      FUZZ_EXPECT(sample.error().bad_input && sample.error().message.size() < 300);
      FUZZ_EXPECT(sample.error().message.find('\n') == std::string::npos);
      return;
    }
    if (!*sample) continue;
    FUZZ_EXPECT((*sample)->time_s > last);
    FUZZ_EXPECT(std::isfinite((*sample)->bytes) && (*sample)->bytes >= 0);
    FUZZ_EXPECT(!(*sample)->limit_bytes || *(*sample)->limit_bytes > 0);
    last = (*sample)->time_s;
  }
  (void)input.end().has_value();
}
