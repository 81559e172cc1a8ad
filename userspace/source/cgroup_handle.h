// One memory cgroup held by its descriptors. A cgroup made again under the same name is another
// cgroup: readings of a removed one fail with ENODEV or ENOENT, which is normal and not an error to
// report.
#pragma once
#include <string>
#include <vector>

#include "base/fd.h"
#include "model/container.h"
#include "source/cgroup_files.h"
#include "source/cgroup_mounts.h"

namespace oomen::source {

inline bool is_gone(const base::Error& error) {
  return error.code == ENODEV || error.code == ENOENT;
}

class CgroupHandle {
 public:
  // `path` from the root of the hierarchy, with the first "/"; "/" is the root.
  static base::Result<CgroupHandle> open(const MemoryHierarchy& hierarchy, const std::string& path);

  model::CgroupId id() const { return id_; }
  const std::string& path() const { return path_; }

  base::Result<uint64_t> usage_bytes();  // one pread
  base::Result<model::MemoryClasses> classes();
  base::Result<std::optional<uint64_t>> limit_bytes();
  base::Result<MemoryEvents> events();                  // with descendants
  std::optional<MemoryEvents> local_events();           // of this cgroup alone; v2 from 5.2
  std::optional<uint64_t> fail_count();                 // v1: how often the limit was hit
  std::optional<double> pressure_full_avg10_percent();  // v2 with PSI
  bool kills_as_group();                                // memory.oom.group
  base::Result<std::vector<int>> process_ids();         // cgroup.procs

 private:
  CgroupHandle() = default;
  base::Result<std::string_view> read(base::Fd& held, const char* file);
  base::Result<std::string> read_once(const char* file);

  bool v2_ = true;
  model::CgroupId id_ = 0;
  std::string path_;
  base::Fd directory_, usage_, stat_, limit_, events_, pressure_;
  bool no_pressure_ = false;
};

}  // namespace oomen::source
