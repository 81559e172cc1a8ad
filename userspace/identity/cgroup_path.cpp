#include "identity/cgroup_path.h"

#include <algorithm>
#include <array>
#include <vector>

namespace oomen::identity {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    size_t at = path.find('/');
    if (at != 0) parts.push_back(path.substr(0, at));
    path = at == std::string_view::npos ? std::string_view{} : path.substr(at + 1);
  }
  return parts;
}

bool all_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}
bool is_container_id(std::string_view text) { return text.size() == 64 && all_hex(text); }

// 36 characters with dashes (systemd writes them as underscores), or 32 hex of a static pod; else
// "".
std::string pod_uid(std::string_view text) {
  std::string uid(text);
  std::replace(uid.begin(), uid.end(), '_', '-');
  if (uid.size() == 32 && all_hex(uid)) return uid;
  if (uid.size() != 36) return {};
  for (size_t i = 0; i < uid.size(); ++i) {
    bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? uid[i] != '-' : !all_hex(std::string_view(uid).substr(i, 1))) return {};
  }
  return uid;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

void read_pod(std::string_view name, bool slice, model::CgroupIdentity& found) {
  size_t at = name.rfind("pod");
  if (at == std::string_view::npos || !(at == 0 || (slice && name[at - 1] == '-'))) return;
  std::string uid = pod_uid(name.substr(at + 3));
  if (uid.empty()) return;
  found.pod_uid = uid;
  found.kind = "pod";
  if (found.qos.empty()) found.qos = "guaranteed";
}

// kubepods-burstable.slice, kubepods-burstable-podUID.slice; burstable, podUID.
void read_kubernetes_part(std::string_view part, model::CgroupIdentity& found) {
  std::string_view name = part;
  bool slice = take_suffix(name, ".slice");
  for (std::string_view qos : {"burstable", "besteffort"}) {
    std::string dashed = "-" + std::string(qos);
    if (name != qos &&
        !(slice && (name.ends_with(dashed) || name.find(dashed + "-pod") != name.npos)))
      continue;
    found.qos = qos;
    found.kind = "qos";
  }
  read_pod(name, slice, found);
}

struct Runtime {
  std::string_view prefix, name;
};
constexpr std::array<Runtime, 5> kScopes{{{"cri-containerd-", "containerd"},
                                          {"crio-", "cri-o"},
                                          {"docker-", "docker"},
                                          {"libpod-", "podman"},
                                          {"nerdctl-", "containerd"}}};

void read_container_part(std::string_view part, model::CgroupIdentity& found) {
  std::string_view name = part;
  bool scope = take_suffix(name, ".scope");
  if (size_t colon = name.rfind(':'); colon != name.npos) name = name.substr(colon + 1);
  bool helper = false;
  for (const Runtime& runtime : kScopes) {
    if (!name.starts_with(runtime.prefix)) continue;
    found.runtime = runtime.name;
    name.remove_prefix(runtime.prefix.size());
    helper = name.starts_with("conmon-");
    if (helper) name.remove_prefix(7);
    break;
  }
  if (!is_container_id(name)) return;
  found.container_id = name;
  found.kind = helper ? "helper" : "container";
  if (found.driver.empty()) found.driver = scope ? "systemd" : "cgroupfs";
}

bool is_unit(std::string_view path) {
  return path.ends_with(".service") || path.ends_with(".scope") || path.ends_with(".slice");
}

}  // namespace

model::CgroupIdentity identify_cgroup(std::string_view path) {
  model::CgroupIdentity found;
  bool in_kubepods = false;
  for (std::string_view part : split(path)) {
    if (!found.container_id.empty()) break;  // a nested child belongs to its container
    if (part == "kubepods" || part.ends_with("kubepods.slice")) {
      in_kubepods = true;
      found.kind = "kubepods";
      found.driver = part == "kubepods" ? "cgroupfs" : "systemd";
      continue;
    }
    if (in_kubepods) read_kubernetes_part(part, found);
    if (!in_kubepods || !found.pod_uid.empty()) read_container_part(part, found);
  }
  if (found.kind == "cgroup" && is_unit(path)) {
    found.kind = "unit";
    found.driver = "systemd";
  }
  return found;
}

std::string run_cgroup_path(std::string_view namespace_name, std::string_view pod, int pid) {
  return std::string(kRunFolder) + "/" + std::string(namespace_name) + "_" + std::string(pod) +
         "-" + std::to_string(pid);
}

std::optional<RunName> run_name(std::string_view path) {
  auto parts = split(path);
  if (parts.size() < 2 || parts[parts.size() - 2] != kRunFolder) return std::nullopt;
  std::string_view leaf = parts.back();
  size_t namespace_end = leaf.find('_'), pid_begin = leaf.rfind('-');
  if (namespace_end == leaf.npos || pid_begin == leaf.npos || pid_begin < namespace_end)
    return std::nullopt;
  return RunName{std::string(leaf.substr(0, namespace_end)),
                 std::string(leaf.substr(namespace_end + 1, pid_begin - namespace_end - 1))};
}

std::string plain_name(std::string_view path) {
  auto parts = split(path);
  if (parts.empty()) return "/";
  std::string_view leaf = parts.back();
  for (std::string_view suffix : {".service", ".scope", ".slice"})
    if (take_suffix(leaf, suffix)) break;
  return std::string(leaf);
}

}  // namespace oomen::identity
