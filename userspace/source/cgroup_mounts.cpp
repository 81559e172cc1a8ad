#include "source/cgroup_mounts.h"

#include <libcgroup.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "base/fd.h"
#include "base/text.h"
#include "source/cgroup_handle.h"
#include "source/cgroup_walk.h"

namespace oomen::source {
namespace {

struct FreeCgroup {
  void operator()(cgroup* group) const { cgroup_free(&group); }
};
using CgroupPtr = std::unique_ptr<cgroup, FreeCgroup>;

base::Error libcgroup_error(const std::string& context, int code) {
  // The library keeps the errno of the failed call for its "other" error alone.
  const char* text =
      code == ECGOTHER ? std::strerror(cgroup_get_last_errno()) : cgroup_strerror(code);
  return base::Error{context + ": " + text, code == ECGOTHER ? cgroup_get_last_errno() : 0};
}

bool is_cgroup2(const std::string& path) {
  struct statfs fs {};
  return ::statfs(path.c_str(), &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC;
}

// "memory\t4\t13\t1" -> 4
uint32_t memory_hierarchy_id() {
  auto text = base::read_file("/proc/cgroups");
  if (!text) return 0;
  std::string_view rest = *text;
  while (!rest.empty()) {
    std::string_view line = base::take_until(rest, '\n');
    if (base::take_until(line, '\t') != "memory") continue;
    return base::parse_number<uint32_t>(base::take_until(line, '\t')).value_or(0);
  }
  return 0;
}

bool cgroup2_is_mounted() {
  auto text = base::read_file("/proc/self/mounts");
  return text && text->find(" cgroup2 ") != std::string::npos;
}

// A description of `path` for the library: which cgroup, which controller.
CgroupPtr describe(const std::string& path) {
  CgroupPtr group(cgroup_new_cgroup(path.c_str() + 1));
  if (group) cgroup_add_controller(group.get(), "memory");
  return group;
}

const char* limit_file(const MemoryHierarchy& hierarchy) {
  return hierarchy.is_v2() ? "memory.max" : "memory.limit_in_bytes";
}

// SIGKILL to whatever is left, children's children too, until nothing is; gives up after five
// seconds.
void kill_rest(const MemoryHierarchy& hierarchy, const std::string& path) {
  for (int turn = 0; turn < 500; ++turn) {
    auto cgroups = walk_cgroups(hierarchy, path);
    if (!cgroups) return;
    bool empty = true;
    for (const auto& entry : *cgroups) {
      auto handle = CgroupHandle::open(hierarchy, entry.path);
      auto pids =
          handle ? handle->process_ids() : base::Result<std::vector<int>>(std::vector<int>{});
      if (!pids) continue;
      for (int pid : *pids) ::kill(pid, SIGKILL), empty = false;
    }
    if (empty) return;
    ::usleep(10'000);
  }
}

bool has_children(const std::string& path) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed))
    if (entry.is_directory(failed)) return true;
  return false;
}

// A child that was removed is still a child for a moment: the kernel lets go of it later.
bool remove_directory(const std::string& path) {
  for (int turn = 0; turn < 100; ++turn) {
    if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY || has_children(path)) return false;
    ::usleep(10'000);
  }
  return false;
}

base::Result<void> check_limit(const MemoryHierarchy& hierarchy, const std::string& path,
                               uint64_t wanted) {
  std::string file = hierarchy.mount + path + "/" + limit_file(hierarchy);
  auto text = base::read_file(file);
  if (!text) return std::move(text).error();
  auto limit = parse_limit(*text);
  uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (!limit || *limit != wanted / page * page)
    return base::Error{file + " reads '" + std::string(base::trim(*text)) + "' after " +
                       std::to_string(wanted) + " was written"};
  return {};
}

}  // namespace

std::string_view name(CgroupMode mode) {
  switch (mode) {
    case CgroupMode::kV1: return "v1";
    case CgroupMode::kV2: return "v2";
    case CgroupMode::kHybrid: return "hybrid";
  }
  return "v2";
}

base::Result<MemoryHierarchy> find_memory_hierarchy() {
  if (int failed = cgroup_init()) return libcgroup_error("looking for mounted cgroups", failed);
  char* mount = nullptr;
  if (int failed = cgroup_get_subsys_mount_point("memory", &mount))
    return libcgroup_error("no memory controller is mounted", failed);
  std::unique_ptr<char, decltype(&::free)> owned(mount, &::free);
  MemoryHierarchy found;
  found.mount = mount;
  if (is_cgroup2(found.mount)) return found;
  found.mode = cgroup2_is_mounted() ? CgroupMode::kHybrid : CgroupMode::kV1;
  found.hierarchy_id = memory_hierarchy_id();
  return found;
}

base::Result<OwnCgroup> OwnCgroup::create(const MemoryHierarchy& hierarchy, const std::string& path,
                                          std::optional<uint64_t> limit_bytes) {
  std::string full = "/" + path;
  struct stat before {};
  if (::stat((hierarchy.mount + full).c_str(), &before) == 0)
    return base::Error{"cgroup " + full + " is there already", EEXIST};
  CgroupPtr group = describe(full);
  if (!group) return base::Error{"no memory to describe cgroup " + full, ENOMEM};
  if (limit_bytes)
    cgroup_add_value_uint64(cgroup_get_controller(group.get(), "memory"), limit_file(hierarchy),
                            *limit_bytes);
  OwnCgroup made(hierarchy,
                 full);  // from here its destructor removes what was made, also half of it
  if (int failed = cgroup_create_cgroup(group.get(), 0))
    return libcgroup_error("making cgroup " + full, failed);
  if (!limit_bytes) return made;
  auto took = check_limit(hierarchy, full, *limit_bytes);
  if (!took) return std::move(took).error().wrap("the limit did not take");
  return made;
}

OwnCgroup::OwnCgroup(OwnCgroup&& other) noexcept
    : hierarchy_(std::move(other.hierarchy_)), path_(std::exchange(other.path_, "")) {}

uint64_t OwnCgroup::id() const {
  struct stat info {};
  return ::stat((hierarchy_.mount + path_).c_str(), &info) == 0 ? info.st_ino : 0;
}

OwnCgroup::~OwnCgroup() {
  if (path_.empty()) return;
  kill_rest(hierarchy_, path_);
  CgroupPtr group = describe(path_);
  if (group)
    cgroup_delete_cgroup_ext(group.get(), CGFLAG_DELETE_RECURSIVE | CGFLAG_DELETE_IGNORE_MIGRATION);
  // Parents made on the way go too, as far as they are empty: rmdir refuses a cgroup in use.
  std::string path = path_;
  for (size_t cut; (cut = path.rfind('/')) != std::string::npos; path.resize(cut))
    if (!remove_directory(hierarchy_.mount + path)) break;
}

base::Result<void> OwnCgroup::attach(pid_t pid) const {
  CgroupPtr group = describe(path_);
  if (!group) return base::Error{"no memory to describe cgroup " + path_, ENOMEM};
  if (int failed = cgroup_attach_task_pid(group.get(), pid))
    return libcgroup_error("attaching pid " + std::to_string(pid) + " to " + path_, failed);
  auto text = base::read_file("/proc/" + std::to_string(pid) + "/cgroup");
  if (!text) return std::move(text).error();
  auto now = memory_cgroup_of(*text);
  // In a cgroup namespace the path shown is shorter than ours; its end is the same.
  if (!now || !std::string_view(path_).ends_with(*now) || *now == "/")
    return base::Error{"pid " + std::to_string(pid) + " is in '" + now.value_or("?") +
                       "' after it was attached to " + path_};
  return {};
}

}  // namespace oomen::source
