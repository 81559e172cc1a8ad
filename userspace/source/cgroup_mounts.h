// The memory hierarchy of this machine, and cgroups of our own in it (only `oomen run` makes any).
// Through libcgroup.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace oomen::source {

enum class CgroupMode { kV1, kV2, kHybrid };  // hybrid: memory on v1, a v2 tree mounted beside it

struct MemoryHierarchy {
  CgroupMode mode = CgroupMode::kV2;
  std::string mount;  // "/sys/fs/cgroup" or "/sys/fs/cgroup/memory"
  uint32_t hierarchy_id =
      0;  // column of /proc/cgroups; 0 on v2. v1 hierarchies number their cgroups each on its own
  bool is_v2() const { return mode == CgroupMode::kV2; }
};

std::string_view name(CgroupMode mode);  // "v1" | "v2" | "hybrid"

base::Result<MemoryHierarchy> find_memory_hierarchy();

// A cgroup made by this process and removed with it, its descendants and the parents it had to make
// included.
class OwnCgroup {
 public:
  // `path` from the root of the hierarchy, without the first "/". The limit is written and read
  // back: one that did not take is an error, and nothing is left behind.
  static base::Result<OwnCgroup> create(const MemoryHierarchy& hierarchy, const std::string& path,
                                        std::optional<uint64_t> limit_bytes);
  ~OwnCgroup();
  OwnCgroup(OwnCgroup&&) noexcept;
  OwnCgroup& operator=(OwnCgroup&&) = delete;

  // Moves the process in and reads /proc/PID/cgroup back: one that is still elsewhere is an error.
  base::Result<void> attach(pid_t pid) const;
  // The inode of its directory.
  uint64_t id() const;
  const std::string& path() const { return path_; }  // with the first "/"

 private:
  OwnCgroup(MemoryHierarchy hierarchy, std::string path)
      : hierarchy_(std::move(hierarchy)), path_(std::move(path)) {}
  MemoryHierarchy hierarchy_;
  std::string path_;
};

}  // namespace oomen::source
