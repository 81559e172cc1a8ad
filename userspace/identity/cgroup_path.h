// What a cgroup's path says of a container. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/container.h"

namespace oomen::identity {

// Both drivers (systemd's slices and scopes, cgroupfs' folders) and the runtimes' names for
// containers.
model::CgroupIdentity identify_cgroup(std::string_view path);

// `oomen run --name NS/POD` puts its cgroup under this folder, as NS_POD-PID.
inline constexpr std::string_view kRunFolder = "oomen-run";
struct RunName {
  std::string namespace_name;
  std::string pod;
};
std::optional<RunName> run_name(std::string_view path);
std::string run_cgroup_path(std::string_view namespace_name, std::string_view pod, int pid);

// The name of a cgroup outside Kubernetes: the last part of its path, without systemd's suffix.
std::string plain_name(std::string_view path);

}  // namespace oomen::identity
