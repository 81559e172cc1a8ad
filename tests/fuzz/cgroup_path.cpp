// fuzz-sources: identity/cgroup_path identity/log_name
#include "identity/cgroup_path.h"

#include "identity/log_name.h"
#include "target.h"

FUZZ(cgroup_path) {
  namespace identity = oomen::identity;
  auto found = identity::identify_cgroup(text);
  FUZZ_EXPECT(!found.kind.empty());
  FUZZ_EXPECT(found.pod_uid.size() <= text.size());
  FUZZ_EXPECT(found.container_id.size() <= text.size());
  identity::run_name(text);
  FUZZ_EXPECT(identity::plain_name(text).size() <= text.size() + 1);
  identity::parse_log_name(text);
}
