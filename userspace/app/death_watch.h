// Deaths as they come in: from the kernel's events and the cgroups' counters to autopsies that are
// completed as slower witnesses speak. An autopsy that was handed out is never changed: a completed
// one takes its place under the same id.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/death.h"
#include "model/snapshot.h"

namespace oomen::app {

// What the watch knows of the victim's container at the moment of the kill.
struct DeathScene {
  model::Container container;
  std::string victim_cgroup_path;
  std::vector<engine::LimitLevel> levels;
  bool kills_as_group = false;
  std::optional<int> main_pid;
  std::optional<model::Assessment> forecast;
  std::optional<uint64_t> first_alert_ns;
  std::vector<model::UsagePoint> last_minutes;
  std::vector<model::ProcessSample> processes;
};

class DeathWatch {
 public:
  // Looks up the scene of a kill in a cgroup; nothing when no container is watched there.
  using SceneOf = std::function<std::optional<DeathScene>(model::CgroupId)>;
  // Told of each new autopsy, and again (`completed`) when it gained.
  using Tell = std::function<void(const std::shared_ptr<const model::Autopsy>&, bool completed)>;
  using PathOf = std::function<std::string(model::CgroupId)>;
  DeathWatch(SceneOf scene_of, PathOf path_of, Tell tell)
      : scene_of_(std::move(scene_of)), path_of_(std::move(path_of)), tell_(std::move(tell)) {}

  void see(const model::KillSent& kill);
  void see(const model::OomVictim& victim);
  void see(const model::ProcessExit& exit);
  // The counter `oom_kill` of a container rose by `kills`. A kill that no event told of becomes an
  // autopsy of its own.
  void see_counter(model::CgroupId cgroup, const std::string& source, uint64_t kills,
                   uint64_t now_ns);
  // Once a second: closes what nobody adds to any more.
  void tick(uint64_t now_ns);
  bool events_tell_of_kills = true;  // false without BPF: then a counter alone is no disagreement

  const std::deque<std::shared_ptr<const model::Autopsy>>& autopsies() const { return autopsies_; }
  const std::vector<model::LastKill>& last_kills() const { return last_kills_; }
  uint64_t disagreements() const { return disagreements_; }

 private:
  struct Open {
    std::shared_ptr<const model::Autopsy> autopsy;
    model::CgroupId victim_cgroup = 0;
    std::optional<int> main_pid;
    uint64_t counted = 0;  // kills that a counter confirmed
    uint64_t victims = 1;
  };
  Open* open_for(model::CgroupId cgroup, int pid);
  void open(model::Autopsy autopsy, const DeathScene& scene, model::CgroupId victim_cgroup);
  void replace(Open& open, model::Autopsy autopsy);
  void remember_last_kill(const model::Autopsy& autopsy);
  std::optional<model::Witness> sent_witness(int pid) const;

  SceneOf scene_of_;
  PathOf path_of_;
  Tell tell_;
  std::unordered_map<int, model::KillSent>
      kills_;  // SIGKILLs not yet followed by an exit, by target
  std::vector<Open> open_;
  std::deque<std::shared_ptr<const model::Autopsy>> autopsies_;
  std::vector<model::LastKill> last_kills_;
  uint64_t serial_ = 0, disagreements_ = 0;
};

}  // namespace oomen::app
