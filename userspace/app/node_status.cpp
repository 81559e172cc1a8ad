// The picture of the node that NodeWatch hands out.
#include <sys/resource.h>
#include <sys/utsname.h>

#include "app/node_watch.h"
#include "base/clock.h"

namespace oomen::app {
namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? names.release : "";
}

}  // namespace

uint64_t NodeWatch::lost_births() const {
  uint64_t sum = 0;
  for (const model::Counter& loss : kernel_.losses())
    if (loss.name == "cgroup_made" || loss.name == "cgroup_removed" || loss.name == "exec")
      sum += loss.value;
  return sum;
}

std::shared_ptr<model::Snapshot> NodeWatch::snapshot() const {
  auto picture = std::make_shared<model::Snapshot>();
  uint64_t boot_now = base::boottime_ns();
  picture->wall_time_ns = base::walltime_ns();
  picture->containers.reserve(census_.containers().size());
  for (const auto& [id, watched] : census_.containers())
    picture->containers.push_back(watched->view(boot_now, picture->wall_time_ns));
  picture->autopsies.assign(deaths_.autopsies().begin(), deaths_.autopsies().end());
  picture->last_kills = deaths_.last_kills();
  picture->status = status();
  return picture;
}

model::Status NodeWatch::status() const {
  model::Status status;
  status.version = OOMEN_VERSION;
  status.node = options_.node;
  status.kernel = kernel_release();
  status.cgroup_mode = source::name(hierarchy_.mode);
  status.started_wall_ns = started_wall_ns_;
  status.ready = ready_;
  status.hooks = kernel_.hooks();
  for (const model::Hook& hook : status.hooks)
    if (!hook.attached) status.degraded_because.push_back(hook.name + ": " + hook.reason);
  status.degraded = !status.degraded_because.empty();
  status.losses = kernel_.losses();
  for (const auto& [name, value] : errors_) status.errors.push_back({name, value});
  status.errors.push_back({"first_read", census_.read_errors});
  status.errors.push_back({"witness_disagreement", deaths_.disagreements()});
  status.containers = census_.containers().size();
  status.loop_wakeups = wakeups_;
  status.loop_heartbeat_s = base::seconds(last_turn_ns_);
  status.cpu_seconds = cpu_seconds();
  status.bpf_map_bytes = kernel_.map_bytes();
  return status;
}

}  // namespace oomen::app
