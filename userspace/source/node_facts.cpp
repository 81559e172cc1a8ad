#include "source/node_facts.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/klog.h>
#include <unistd.h>

#include <memory>

#include "base/fd.h"
#include "base/text.h"
#include "source/cgroup_files.h"

namespace oomen::source {
namespace {

std::optional<std::string> read(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) return std::nullopt;
  return std::string(base::trim(*text));
}

template <class T>
std::optional<T> read_number(const std::string& path) {
  auto text = read(path);
  return text ? base::parse_number<T>(*text) : std::nullopt;
}

Access try_reading(const std::string& path) {
  auto fd = base::open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK);
  if (!fd) return {false, fd.error().code};
  char byte;
  if (::read(fd->get(), &byte, 1) >= 0) return {true, 0};
  // A log device: nothing to read yet, overrun, or our buffer is smaller than the record.
  if (errno == EAGAIN || errno == EPIPE || errno == EINVAL) return {true, 0};
  return {false, errno};
}

Access try_listing(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  if (!folder) return {false, errno};
  ::closedir(folder);
  return {true, 0};
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// A cgroup that is not the root, where the files of a container are: ours, else the first child.
std::optional<std::string> some_cgroup(const std::string& root, const std::string& mount) {
  if (auto text = read(root + "/proc/self/cgroup"))
    if (auto path = memory_cgroup_of(*text); path && *path != "/" && exists(mount + *path))
      return mount + *path;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(mount.c_str()), ::closedir);
  while (folder) {
    const dirent* entry = ::readdir(folder.get());
    if (!entry) break;
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.') return mount + "/" + entry->d_name;
  }
  return std::nullopt;
}

void read_cgroup_facts(NodeFacts& facts, const std::string& root) {
  if (!facts.hierarchy) return;
  std::string mount = root + facts.hierarchy->mount;
  if (exists(mount + "/kubepods.slice"))
    facts.cgroup_driver = "systemd";
  else if (exists(mount + "/kubepods"))
    facts.cgroup_driver = "cgroupfs";
  auto cgroup = some_cgroup(root, mount);
  if (!cgroup) return;
  facts.peak =
      exists(*cgroup + (facts.hierarchy->is_v2() ? "/memory.peak" : "/memory.max_usage_in_bytes"));
  facts.oom_group = exists(*cgroup + "/memory.oom.group");
}

void read_security_facts(NodeFacts& facts, const std::string& root) {
  if (auto status = read(root + "/proc/self/status")) facts.rights = parse_process_rights(*status);
  if (auto limits = read(root + "/proc/self/limits"))
    facts.locked_memory_limit_bytes = parse_locked_memory_limit(*limits);
  if (auto text = read(root + "/sys/kernel/security/lockdown"))
    facts.lockdown = parse_lockdown(*text);
  if (auto text = read(root + "/sys/kernel/security/lsm")) {
    facts.lsms.emplace();
    for (std::string_view rest = *text; !rest.empty();)
      facts.lsms->emplace_back(base::take_until(rest, ','));
  }
  // A label may end in a NUL byte.
  std::string label = read(root + "/proc/self/attr/current").value_or("");
  facts.lsm_label = label.substr(0, label.find('\0'));
  facts.unprivileged_bpf_disabled =
      read_number<int>(root + "/proc/sys/kernel/unprivileged_bpf_disabled");
  facts.perf_event_paranoid = read_number<int>(root + "/proc/sys/kernel/perf_event_paranoid");
}

// The initial pid namespace has this inode on every kernel (PROC_PID_INIT_INO).
std::optional<bool> in_host_pid_namespace(const std::string& root) {
  char link[64];
  ssize_t length = ::readlink((root + "/proc/self/ns/pid").c_str(), link, sizeof link);
  if (length < 0) return std::nullopt;
  return std::string_view(link, static_cast<size_t>(length)) == "pid:[4026531836]";
}

}  // namespace

std::optional<KernelVersion> parse_kernel_version(std::string_view release) {
  auto major = base::parse_number<int>(base::take_until(release, '.'));
  auto minor = base::parse_number<int>(release.substr(0, release.find_first_not_of("0123456789")));
  if (!major || !minor) return std::nullopt;
  return KernelVersion{*major, *minor};
}

std::optional<std::string> parse_lockdown(std::string_view text) {
  size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open + 1)
    return std::nullopt;
  return std::string(text.substr(open + 1, close - open - 1));
}

ProcessRights parse_process_rights(std::string_view status) {
  ProcessRights rights;
  while (!status.empty()) {
    std::string_view line = base::take_until(status, '\n');
    std::string_view key = base::take_until(line, ':');
    std::string_view value = base::trim(line);
    uint64_t mask = 0;
    auto [end, bad] = std::from_chars(value.data(), value.data() + value.size(), mask, 16);
    bool is_mask = bad == std::errc() && end == value.data() + value.size();
    if (key == "CapEff" && is_mask) rights.effective = mask;
    if (key == "CapBnd" && is_mask) rights.bounding = mask;
    if (key == "Seccomp") rights.seccomp = base::parse_number<int>(value);
  }
  return rights;
}

std::optional<uint64_t> parse_locked_memory_limit(std::string_view limits) {
  static constexpr std::string_view kName = "Max locked memory";
  while (!limits.empty()) {
    std::string_view line = base::take_until(limits, '\n');
    if (!line.starts_with(kName)) continue;
    line = base::trim(line.substr(kName.size()));
    std::string_view soft = base::take_until(line, ' ');
    return soft == "unlimited" ? kUnlimited : base::parse_number(soft);
  }
  return std::nullopt;
}

std::optional<std::string> parse_hidepid(std::string_view mountinfo) {
  std::optional<std::string> hidepid;  // of the last mount on /proc, which is the one seen
  while (!mountinfo.empty()) {
    std::string_view line = base::take_until(mountinfo, '\n');
    if (line.find(" /proc ") == std::string_view::npos) continue;
    size_t end = line.find(" - proc ");
    if (end == std::string_view::npos) continue;
    std::string_view options = line.substr(line.rfind(' ') + 1);
    hidepid = "0";
    while (!options.empty()) {
      std::string_view option = base::take_until(options, ',');
      if (option.starts_with("hidepid=")) hidepid = option.substr(8);
    }
  }
  return hidepid;
}

std::optional<uint64_t> parse_swap_bytes(std::string_view swaps) {
  if (!swaps.starts_with("Filename")) return std::nullopt;
  base::take_until(swaps, '\n');
  uint64_t kibibytes = 0;
  while (!swaps.empty()) {
    std::string_view line = base::take_until(swaps, '\n');
    // Name, type, size, used, priority, with blanks and tabs between; a blank in a name is escaped.
    std::string_view field;
    for (int column = 0; column < 3 && !line.empty(); ++column) {
      line = base::trim(line);
      size_t end = line.find_first_of(" \t");
      field = line.substr(0, end);
      line = end == std::string_view::npos ? std::string_view{} : line.substr(end);
    }
    kibibytes += base::parse_number(field).value_or(0);
  }
  return kibibytes * 1024;
}

NodeFacts read_node_facts(const std::string& root, std::optional<MemoryHierarchy> hierarchy,
                          const std::string& pod_logs_dir) {
  NodeFacts facts;
  facts.hierarchy = std::move(hierarchy);
  facts.kernel_release = read(root + "/proc/sys/kernel/osrelease").value_or("");
  facts.btf = ::access((root + "/sys/kernel/btf/vmlinux").c_str(), R_OK) == 0;
  read_security_facts(facts, root);
  read_cgroup_facts(facts, root);
  facts.pressure = try_reading(root + "/proc/pressure/memory");
  if (auto swaps = read(root + "/proc/swaps")) facts.swap_bytes = parse_swap_bytes(*swaps);
  if (auto mounts = read(root + "/proc/self/mountinfo")) facts.hidepid = parse_hidepid(*mounts);
  facts.host_pid_namespace = in_host_pid_namespace(root);
  facts.dmesg_restrict = read_number<int>(root + "/proc/sys/kernel/dmesg_restrict");
  facts.kmsg = try_reading(root + "/dev/kmsg");
  facts.pod_logs = try_listing(root + pod_logs_dir);
  return facts;
}

Access try_syslog() {
  static constexpr int kSizeOfBuffer = 10;  // needs the same right as reading it, changes nothing
  if (::klogctl(kSizeOfBuffer, nullptr, 0) >= 0) return {true, 0};
  return {false, errno};
}

}  // namespace oomen::source
