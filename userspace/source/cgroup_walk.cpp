#include "source/cgroup_walk.h"

#include <dirent.h>
#include <sys/stat.h>

#include <memory>

namespace oomen::source {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

void append_children(const MemoryHierarchy& hierarchy, const CgroupEntry& parent,
                     std::vector<CgroupEntry>& found) {
  std::unique_ptr<DIR, CloseDirectory> directory(
      ::opendir((hierarchy.mount + parent.path).c_str()));
  if (!directory) return;
  const std::string prefix = parent.path == "/" ? "/" : parent.path + "/";
  while (const dirent* entry = ::readdir(directory.get())) {
    if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
    // In kernfs the inode's number is the cgroup's id: no stat for each.
    found.push_back({entry->d_ino, parent.id, prefix + entry->d_name});
  }
}

}  // namespace

base::Result<std::vector<CgroupEntry>> walk_cgroups(const MemoryHierarchy& hierarchy,
                                                    const std::string& path) {
  struct stat info {};
  if (::stat((hierarchy.mount + path).c_str(), &info) != 0)
    return base::errno_error("cgroup " + path);
  std::vector<CgroupEntry> found{{info.st_ino, 0, path}};
  for (size_t next = 0; next < found.size(); ++next) {
    CgroupEntry parent = found[next];  // a copy: the vector grows under it
    append_children(hierarchy, parent, found);
  }
  return found;
}

}  // namespace oomen::source
