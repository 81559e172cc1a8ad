// fuzz-sources: source/cgroup_files
#include "source/cgroup_files.h"

#include <cmath>

#include "target.h"

FUZZ(cgroup_files) {
  namespace source = oomen::source;
  source::parse_memory_stat_v2(text);
  // What v1 does not tell must stay absent whatever the text.
  FUZZ_EXPECT(!source::parse_memory_stat_v1(text).slab_reclaimable);
  source::parse_limit(text);
  source::parse_memory_events(text);
  source::parse_pressure_full_avg10(text);
  if (auto path = source::memory_cgroup_of(text))
    FUZZ_EXPECT(path->find('\n') == std::string::npos);
}
