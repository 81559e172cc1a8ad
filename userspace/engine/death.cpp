#include "engine/death.h"

#include <csignal>

namespace oomen::engine {
namespace {

// A limit that was hit stands within this of it: the allocation that failed, and what other CPUs
// hold in stock.
constexpr uint64_t kLimitSlack_bytes = 4 << 20;

bool is_full(const LimitLevel& level) {
  return level.limit_bytes && level.usage_bytes &&
         *level.usage_bytes + kLimitSlack_bytes >= *level.limit_bytes;
}

std::string kind_of(const LimitLevel& owner, size_t index) {
  if (index == 0 || owner.level == "container") return "container_limit";
  if (owner.level == "qos" || owner.level == "kubepods") return "qos_limit";
  return "pod_limit";  // a pod's, or outside Kubernetes a parent's: the limit of a group of
                       // containers
}

void add_witness(model::Autopsy& autopsy, std::string source, uint64_t time_ns, std::string says) {
  autopsy.witnesses.push_back({std::move(source), time_ns, std::move(says)});
}

}  // namespace

int shell_exit_code(int wait_status) {
  int signal = wait_status & 0x7f;
  return signal != 0 ? 128 + signal : (wait_status >> 8) & 0xff;
}

std::optional<size_t> find_limit_owner(const std::vector<LimitLevel>& levels) {
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].new_ooms.value_or(0) > 0) return i;
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].new_limit_hits.value_or(0) > 0 && is_full(levels[i])) return i;
  for (size_t i = 0; i < levels.size(); ++i)
    if (is_full(levels[i])) return i;
  // The victim's memory may be freed already when its files are read: then only the hits are left
  // to tell.
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].limit_bytes && levels[i].new_limit_hits.value_or(0) > 0) return i;
  return std::nullopt;
}

model::Autopsy judge_oom(const OomFacts& facts) {
  model::Autopsy autopsy;
  autopsy.time_ns = facts.victim.time_ns;
  autopsy.container = facts.container;
  autopsy.killer = "kernel";
  autopsy.group = facts.kills_as_group;
  autopsy.signal = SIGKILL;
  autopsy.victim_pid = facts.victim.pid;
  autopsy.victim_comm = facts.victim.comm;
  autopsy.victim_cgroup = facts.victim_cgroup_path;
  autopsy.child = facts.victim.pid != 0 && facts.main_pid && *facts.main_pid != facts.victim.pid &&
                  !autopsy.group;
  if (auto owner = find_limit_owner(facts.levels)) {
    const LimitLevel& level = facts.levels[*owner];
    autopsy.kind = kind_of(level, *owner);
    autopsy.constraint = "memcg";
    autopsy.limit_owner_cgroup = level.cgroup_path;
    autopsy.limit_bytes = level.limit_bytes;
    autopsy.usage_bytes = level.usage_bytes;
  } else {
    autopsy.kind = "node";
    autopsy.constraint = "none";
  }
  if (facts.victim.pid != 0)
    add_witness(autopsy, "mark_victim", facts.victim.time_ns,
                "the kernel marked pid " + std::to_string(facts.victim.pid) + " as the victim");
  if (facts.sent) autopsy.witnesses.push_back(*facts.sent);
  return autopsy;
}

model::Autopsy judge_kill(const KillFacts& facts) {
  model::Autopsy autopsy;
  autopsy.time_ns = facts.exit.time_ns;
  autopsy.container = facts.container;
  autopsy.kind = "not_oom";
  autopsy.victim_pid = facts.exit.pid;
  autopsy.victim_comm = facts.exit.comm;
  autopsy.victim_cgroup = facts.victim_cgroup_path;
  if (facts.sent) {
    autopsy.killer = facts.sent->from_kernel ? "kernel" : facts.sent->sender_comm;
    autopsy.killer_cgroup = facts.sent->from_kernel ? "" : facts.killer_cgroup_path;
    add_witness(autopsy, "signal", facts.sent->time_ns,
                "SIGKILL from " + (facts.sent->from_kernel
                                       ? std::string("the kernel")
                                       : facts.sent->sender_comm + " (pid " +
                                             std::to_string(facts.sent->sender_pid) + ")"));
  }
  add_exit(autopsy, facts.exit, facts.exit.pid);
  return autopsy;
}

void add_exit(model::Autopsy& autopsy, const model::ProcessExit& exit,
              std::optional<int> main_pid) {
  int code = shell_exit_code(exit.exit_code);
  add_witness(autopsy, "process_exit", exit.time_ns,
              "pid " + std::to_string(exit.pid) + " ended with exit code " + std::to_string(code));
  bool is_main = !main_pid || *main_pid == exit.pid;
  int signal = exit.exit_code & 0x7f;
  bool is_victim = exit.pid == autopsy.victim_pid;
  // A main process that outlived its child and is then stopped from outside did not die of this
  // kill.
  bool stopped_later = autopsy.child && !is_victim && signal != 0 && signal != SIGKILL;
  if (!is_main || stopped_later) return;
  autopsy.exit_code = code;
  if (is_victim && signal != 0) autopsy.signal = signal;
  if (exit.pid == autopsy.victim_pid && autopsy.kind != "not_oom" &&
      (exit.exit_code & 0x7f) != SIGKILL)
    autopsy.disagreements.push_back("the victim was marked, but it did not end by SIGKILL");
  // The container did not live on after all.
  if (autopsy.child) autopsy.child = false;
}

}  // namespace oomen::engine
