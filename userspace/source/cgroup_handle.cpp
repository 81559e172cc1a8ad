#include "source/cgroup_handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace oomen::source {
namespace {
// memory.stat has about 60 lines; 16 KiB is three times the longest seen. The loop that reads is
// one thread.
thread_local char buffer[16384];
}  // namespace

base::Result<CgroupHandle> CgroupHandle::open(const MemoryHierarchy& hierarchy,
                                              const std::string& path) {
  CgroupHandle handle;
  handle.v2_ = hierarchy.is_v2();
  handle.path_ = path;
  auto directory = base::open_at(AT_FDCWD, (hierarchy.mount + path).c_str(), O_DIRECTORY | O_PATH);
  if (!directory) return std::move(directory).error();
  handle.directory_ = std::move(*directory);
  struct stat info {};
  if (::fstat(handle.directory_.get(), &info) != 0)
    return base::errno_error("looking at cgroup " + path);
  handle.id_ = info.st_ino;
  return handle;
}

base::Result<std::string_view> CgroupHandle::read(base::Fd& held, const char* file) {
  if (!held.valid()) {
    auto opened = base::open_at(directory_.get(), file, O_RDONLY);
    // Out of descriptors: this reading is lost, the next tries again.
    if (!opened) return std::move(opened).error();
    held = std::move(*opened);
  }
  return base::read_at_start(held.get(), buffer, sizeof buffer);
}

base::Result<std::string> CgroupHandle::read_once(const char* file) {
  base::Fd fd;
  auto text = read(fd, file);
  if (!text) return std::move(text).error();
  return std::string(*text);
}

base::Result<uint64_t> CgroupHandle::usage_bytes() {
  auto text = read(usage_, v2_ ? "memory.current" : "memory.usage_in_bytes");
  if (!text) return std::move(text).error();
  auto bytes = base::parse_number(base::trim(*text));
  if (!bytes)
    return base::Error{"usage of " + path_ + " is not a number: '" + std::string(*text) + "'"};
  return *bytes;
}

base::Result<model::MemoryClasses> CgroupHandle::classes() {
  auto text = read(stat_, "memory.stat");
  if (!text) return std::move(text).error();
  if (v2_) return parse_memory_stat_v2(*text);
  auto classes = parse_memory_stat_v1(*text);
  if (auto kernel = read_once("memory.kmem.usage_in_bytes"))
    classes.kernel = base::parse_number(base::trim(*kernel));
  return classes;
}

base::Result<std::optional<uint64_t>> CgroupHandle::limit_bytes() {
  auto text = read(limit_, v2_ ? "memory.max" : "memory.limit_in_bytes");
  // The root of v2 has no limit file at all.
  if (!text)
    return text.error().code == ENOENT && path_ == "/"
               ? base::Result<std::optional<uint64_t>>(std::nullopt)
               : std::move(text).error();
  return parse_limit(*text);
}

base::Result<MemoryEvents> CgroupHandle::events() {
  auto text = read(events_, v2_ ? "memory.events" : "memory.oom_control");
  if (!text) return std::move(text).error();
  return parse_memory_events(*text);
}

std::optional<MemoryEvents> CgroupHandle::local_events() {
  if (!v2_) return std::nullopt;
  auto text = read_once("memory.events.local");
  if (!text) return std::nullopt;
  return parse_memory_events(*text);
}

std::optional<uint64_t> CgroupHandle::fail_count() {
  if (v2_) return std::nullopt;
  auto text = read_once("memory.failcnt");
  return text ? base::parse_number(base::trim(*text)) : std::nullopt;
}

std::optional<double> CgroupHandle::pressure_full_avg10_percent() {
  if (!v2_ || no_pressure_) return std::nullopt;
  auto text = read(pressure_, "memory.pressure");
  // Some kernels show the file and refuse to read it: not asked again.
  if (!text) no_pressure_ = true;
  return text ? parse_pressure_full_avg10(*text) : std::nullopt;
}

bool CgroupHandle::kills_as_group() {
  auto text = v2_ ? read_once("memory.oom.group") : base::Result<std::string>(base::Error{});
  return text && base::trim(*text) == "1";
}

base::Result<std::vector<int>> CgroupHandle::process_ids() {
  auto fd = base::open_at(directory_.get(), "cgroup.procs", O_RDONLY);
  if (!fd) return std::move(fd).error();
  std::vector<int> pids;
  std::string text;
  for (ssize_t got; (got = ::read(fd->get(), buffer, sizeof buffer)) != 0;) {
    if (got < 0) return base::errno_error("reading processes of " + path_);
    text.append(buffer, static_cast<size_t>(got));
  }
  for (std::string_view rest = text; !rest.empty();)
    if (auto pid = base::parse_number<int>(base::take_until(rest, '\n'))) pids.push_back(*pid);
  return pids;
}

}  // namespace oomen::source
