// A container: a memory cgroup that has processes of its own, and the names it is known by.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oomen::model {

// The inode of the cgroup's directory, which is also the kernel's id of it: unique while the cgroup
// lives, and a cgroup made again under the same name has another. On cgroup v1 each hierarchy
// numbers its own.
using CgroupId = uint64_t;

struct Owner {
  std::string kind;  // Deployment, StatefulSet, ...; "" unknown
  std::string name;
  bool derived = true;  // from the pod's name, not from Kubernetes
};

// What a cgroup's path says, before anything else is asked. Values are those of DESIGN: lower case,
// "" unknown.
struct CgroupIdentity {
  std::string kind =
      "cgroup";  // container | sandbox | helper | pod | qos | kubepods | unit | cgroup
  std::string pod_uid;
  std::string container_id;
  std::string qos;      // guaranteed | burstable | besteffort
  std::string runtime;  // containerd | cri-o | docker | podman
  std::string driver;   // systemd | cgroupfs
};

struct Container {
  CgroupId id = 0;
  std::string cgroup_path;  // from the root of the memory hierarchy, "/" first
  CgroupIdentity identity;
  // Names for people and labels. Outside Kubernetes the namespace is empty and pod = container = a
  // name of the path.
  std::string namespace_name;
  std::string pod;
  std::string container;
  Owner owner;
  uint64_t birth_ns = 0;        // CLOCK_BOOTTIME when first seen (or made)
  bool birth_observed = false;  // made while the agent watched, so its age is known
};

// A limit above a container.
struct Ceiling {
  std::string
      level;  // container | pod | qos | kubepods | node | cgroup (an ancestor outside Kubernetes)
  uint64_t bytes = 0;
  std::string cgroup_path;
};

}  // namespace oomen::model
