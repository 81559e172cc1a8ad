// Which cgroups there are.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "model/container.h"
#include "source/cgroup_mounts.h"

namespace oomen::source {

struct CgroupEntry {
  model::CgroupId id = 0;
  model::CgroupId parent = 0;
  std::string path;  // with the first "/"
};

// `path` and everything below it, parents before children. A cgroup that vanishes meanwhile is left
// out.
base::Result<std::vector<CgroupEntry>> walk_cgroups(const MemoryHierarchy& hierarchy,
                                                    const std::string& path);

}  // namespace oomen::source
