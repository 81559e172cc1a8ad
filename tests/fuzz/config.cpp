// fuzz-sources: app/config base/nearest base/fd sink/listen_address
#include "app/config.h"

#include <string>

#include "target.h"

FUZZ(config) {
  auto options = oomen::app::parse_config(std::string(text), "file", {});
  if (options) {
    FUZZ_EXPECT(options->sensitivity >= 0.1 && options->sensitivity <= 10);
    FUZZ_EXPECT(options->log_level.size() <= 7);
    return;
  }
  FUZZ_EXPECT(options.error().bad_input);
  FUZZ_EXPECT(options.error().message.starts_with("file:"));
  FUZZ_EXPECT(options.error().message.find('\n') == std::string::npos);
  FUZZ_EXPECT(options.error().message.size() < 1000);
}
