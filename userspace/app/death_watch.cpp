#include "app/death_watch.h"

#include <algorithm>
#include <csignal>

#include "base/clock.h"

namespace oomen::app {
namespace {
constexpr size_t kAutopsiesKept = 256;
constexpr size_t kLastKillsKept = 1000;
constexpr size_t kKillsKept = 4096;
constexpr uint64_t kOpenFor_ns = 5'000'000'000;

}  // namespace

void DeathWatch::see(const model::KillSent& kill) {
  if (kills_.size() >= kKillsKept) kills_.clear();  // only targets that never end pile up here
  kills_.insert_or_assign(kill.pid, kill);
}

std::optional<model::Witness> DeathWatch::sent_witness(int pid) const {
  auto at = kills_.find(pid);
  if (at == kills_.end()) return std::nullopt;
  const model::KillSent& kill = at->second;
  std::string sender = kill.from_kernel
                           ? "the kernel"
                           : kill.sender_comm + " (pid " + std::to_string(kill.sender_pid) + ")";
  return model::Witness{"signal", kill.time_ns,
                        "SIGKILL to pid " + std::to_string(pid) + " from " + sender};
}

DeathWatch::Open* DeathWatch::open_for(model::CgroupId cgroup, int pid) {
  for (Open& open : open_) {
    const model::Autopsy& autopsy = *open.autopsy;
    bool same_victim = pid != 0 && autopsy.victim_pid == pid;
    bool same_group = autopsy.group && open.victim_cgroup == cgroup;
    bool by_main = pid != 0 && open.main_pid == pid;
    if (same_victim || same_group || by_main) return &open;
  }
  return nullptr;
}

void DeathWatch::see(const model::OomVictim& victim) {
  model::CgroupId cgroup = victim.cgroup.value_or(0);
  if (auto sent = kills_.find(victim.pid); !cgroup && sent != kills_.end())
    cgroup = sent->second.cgroup;
  if (Open* open = open_for(cgroup, victim.pid); open && open->autopsy->kind != "not_oom") {
    ++open->victims;
    model::Autopsy more = *open->autopsy;
    more.witnesses.push_back(
        {"mark_victim", victim.time_ns,
         "pid " + std::to_string(victim.pid) + " (" + victim.comm + ") was killed with it"});
    return replace(*open, std::move(more));
  }
  auto scene = scene_of_(cgroup);
  if (!scene) return;
  engine::OomFacts facts;
  facts.container = scene->container;
  facts.victim = victim;
  facts.victim_cgroup_path = scene->victim_cgroup_path;
  facts.levels = scene->levels;
  facts.main_pid = scene->main_pid;
  facts.kills_as_group = scene->kills_as_group;
  facts.sent = sent_witness(victim.pid);
  open(engine::judge_oom(facts), *scene, cgroup);
}

void DeathWatch::see(const model::ProcessExit& exit) {
  auto sent = kills_.find(exit.pid);
  if (Open* open = open_for(0, exit.pid)) {
    model::Autopsy more = *open->autopsy;
    engine::add_exit(more, exit, open->main_pid);
    replace(*open, std::move(more));
  } else if ((exit.exit_code & 0x7f) == SIGKILL) {
    auto scene = scene_of_(exit.cgroup);
    if (scene && scene->main_pid == exit.pid) {
      engine::KillFacts facts{scene->container, exit, scene->victim_cgroup_path, {}, {}};
      if (sent != kills_.end()) {
        facts.sent = sent->second;
        facts.killer_cgroup_path = path_of_(sent->second.sender_cgroup);
      }
      this->open(engine::judge_kill(facts), *scene, exit.cgroup);
    }
  }
  if (sent != kills_.end()) kills_.erase(sent);
}

void DeathWatch::see_counter(model::CgroupId cgroup, const std::string& source, uint64_t kills,
                             uint64_t now_ns) {
  for (Open& open : open_) {
    // Of a group kill the kernel counts the first victim twice: by itself, then as a member.
    uint64_t expected = open.victims + (open.autopsy->group ? 1 : 0);
    if (open.victim_cgroup != cgroup || open.counted >= expected || open.autopsy->kind == "not_oom")
      continue;
    uint64_t more_kills = std::min(kills, expected - open.counted);
    open.counted += more_kills;
    kills -= more_kills;
    model::Autopsy more = *open.autopsy;
    more.witnesses.push_back({source, now_ns, "oom_kill rose by " + std::to_string(more_kills)});
    replace(open, std::move(more));
  }
  if (kills == 0) return;
  auto scene = scene_of_(cgroup);
  if (!scene) return;
  engine::OomFacts facts;
  facts.container = scene->container;
  facts.victim.time_ns = now_ns;
  facts.victim_cgroup_path = scene->victim_cgroup_path;
  facts.levels = scene->levels;
  facts.kills_as_group = scene->kills_as_group;
  model::Autopsy autopsy = engine::judge_oom(facts);
  autopsy.witnesses.push_back({source, now_ns, "oom_kill rose by " + std::to_string(kills)});
  if (events_tell_of_kills)
    autopsy.disagreements.push_back("a counter tells of a kill that no kernel event told of");
  open(std::move(autopsy), *scene, cgroup);
  open_.back().counted = kills;
}

void DeathWatch::open(model::Autopsy autopsy, const DeathScene& scene,
                      model::CgroupId victim_cgroup) {
  uint64_t boot_now = base::boottime_ns(), wall_now = base::walltime_ns();
  auto wall = [&](uint64_t boot_ns) { return wall_now - (boot_now - std::min(boot_ns, boot_now)); };
  autopsy.wall_time_ns = wall(autopsy.time_ns);
  autopsy.id = base::rfc3339_utc(autopsy.wall_time_ns) + "-" + std::to_string(++serial_);
  autopsy.forecast = scene.forecast;
  if (scene.first_alert_ns) {
    autopsy.first_alert_ns = scene.first_alert_ns;
    autopsy.first_alert_wall_ns = wall(*scene.first_alert_ns);
  }
  autopsy.last_minutes = scene.last_minutes;
  autopsy.processes = scene.processes;
  disagreements_ += autopsy.disagreements.size();
  open_.push_back({std::make_shared<const model::Autopsy>(std::move(autopsy)), victim_cgroup,
                   scene.main_pid, 0, 1});
  autopsies_.push_back(open_.back().autopsy);
  if (autopsies_.size() > kAutopsiesKept) autopsies_.pop_front();
  remember_last_kill(*open_.back().autopsy);
  tell_(open_.back().autopsy, false);
}

void DeathWatch::replace(Open& open, model::Autopsy autopsy) {
  disagreements_ += autopsy.disagreements.size() - open.autopsy->disagreements.size();
  auto fresh = std::make_shared<const model::Autopsy>(std::move(autopsy));
  std::replace(autopsies_.begin(), autopsies_.end(), open.autopsy, fresh);
  open.autopsy = fresh;
  tell_(fresh, true);
}

void DeathWatch::remember_last_kill(const model::Autopsy& autopsy) {
  if (autopsy.kind == "not_oom") return;
  model::LastKill last{autopsy.container.namespace_name, autopsy.container.pod,
                       autopsy.container.container, autopsy.container.owner, autopsy.wall_time_ns};
  std::erase_if(last_kills_, [&](const model::LastKill& old) {
    return old.namespace_name == last.namespace_name && old.pod == last.pod &&
           old.container == last.container;
  });
  if (last_kills_.size() >= kLastKillsKept) last_kills_.erase(last_kills_.begin());
  last_kills_.push_back(std::move(last));
}

void DeathWatch::tick(uint64_t now_ns) {
  std::erase_if(open_,
                [&](const Open& open) { return now_ns > open.autopsy->time_ns + kOpenFor_ns; });
  std::erase_if(kills_,
                [&](const auto& kill) { return now_ns > kill.second.time_ns + 12 * kOpenFor_ns; });
}

}  // namespace oomen::app
