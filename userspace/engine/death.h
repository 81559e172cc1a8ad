// From facts about a death to the report on it. Pure: the caller reads files and clocks, this lines
// up what they say.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/autopsy.h"

namespace oomen::engine {

// One level of the chain of limits above the victim, nearest first, with counters now and when last
// known before.
struct LimitLevel {
  std::string cgroup_path;
  std::string level;  // as model::Ceiling
  std::optional<uint64_t> limit_bytes;
  std::optional<uint64_t> usage_bytes;
  // How often this very limit ended in an OOM (v2: `oom` of memory.events.local), since last known.
  std::optional<uint64_t> new_ooms;
  // v1 does not count OOMs, only how often the limit was hit (memory.failcnt), since last known.
  std::optional<uint64_t> new_limit_hits;
};

struct OomFacts {
  model::Container container;
  model::OomVictim victim;  // pid 0: only a counter tells of the kill
  std::string victim_cgroup_path;
  std::vector<LimitLevel> levels;  // the victim's cgroup first
  std::optional<int> main_pid;     // of the container
  bool kills_as_group =
      false;  // memory.oom.group of the victim's cgroup or of one above it, up to the owner
  std::optional<model::Witness> sent;  // the SIGKILL the kernel sent
};

// The level whose limit was hit, or nothing: the node ran out.
std::optional<size_t> find_limit_owner(const std::vector<LimitLevel>& levels);

// kind, constraint, victim, owner and the witnesses so far; the caller adds history, forecast and
// times for people.
model::Autopsy judge_oom(const OomFacts& facts);

struct KillFacts {
  model::Container container;
  model::ProcessExit exit;
  std::string victim_cgroup_path;
  std::optional<model::KillSent> sent;
  std::string killer_cgroup_path;
};
// A main process that ended by SIGKILL without any OOM.
model::Autopsy judge_kill(const KillFacts& facts);

// The exit of a process of the container comes in later than the kill: completes the report.
// `main_pid` decides whether the container's exit code is known by it.
void add_exit(model::Autopsy& autopsy, const model::ProcessExit& exit, std::optional<int> main_pid);

// 137 for SIGKILL, 3 for exit(3): what a shell and Kubernetes show.
int shell_exit_code(int wait_status);

}  // namespace oomen::engine
