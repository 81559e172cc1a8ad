// `oomen agent`: watches the node and tells it by metrics, API and log.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "app/commands.h"
#include "app/log.h"
#include "app/loop.h"
#include "app/node_watch.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "sink/http_server.h"
#include "sink/sentence.h"

namespace oomen::app {
namespace {

// Three or four descriptors for each container: what the hard limit allows is asked for.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// The state folder is one agent's: held by a lock that goes with the process. A folder that can't
// be written costs only what is kept there; one that another agent holds is a mistake to tell.
base::Result<base::Fd> lock_state(const std::string& directory, std::string& degraded) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  auto lock = base::open_at(AT_FDCWD, (directory + "/lock").c_str(), O_RDWR | O_CREAT);
  if (!lock) {
    degraded = "state folder: " + lock.error().message;
    return base::Fd();
  }
  if (::flock(lock->get(), LOCK_EX | LOCK_NB) != 0)
    return base::input_error("state folder " + directory +
                             " is in use by another oomen agent; choose --state");
  return std::move(*lock);
}

uint64_t resident_bytes() {
  auto statm = base::read_file("/proc/self/statm");
  if (!statm) return 0;
  std::string_view rest = *statm;
  base::take_until(rest, ' ');
  return base::parse_number(base::take_until(rest, ' ')).value_or(0) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void log_notice(const Notice& notice) {
  auto fields_of = [](const WatchedContainer& c) { return sink::display_name(c.container()); };
  switch (notice.kind) {
    case Notice::Kind::kContainerFound:
      return log_debug("container found", {{"container", fields_of(*notice.container)},
                                           {"cgroup", notice.container->container().cgroup_path}});
    case Notice::Kind::kContainerGone:
      return log_debug("container gone", {{"container", fields_of(*notice.container)}});
    case Notice::Kind::kAlertStarted:
    case Notice::Kind::kSeverityChanged:
      return log_warning(
          "alert", {{"container", fields_of(*notice.container)},
                    {"severity", std::string(model::name(notice.container->assessment().severity))},
                    {"text", sink::verdict_sentence(notice.container->assessment(),
                                                    notice.container->ceiling())}});
    case Notice::Kind::kAlertEnded:
      return log_info("alert over",
                      {{"container", fields_of(*notice.container)},
                       {"text", sink::verdict_sentence(notice.container->assessment(),
                                                       notice.container->ceiling())}});
    case Notice::Kind::kVerdictChanged:
      return log_debug(
          "verdict",
          {{"container", fields_of(*notice.container)},
           {"verdict", std::string(model::name(notice.container->assessment().verdict))}});
    case Notice::Kind::kDeath:
    case Notice::Kind::kDeathCompleted:
      return log_warning(notice.kind == Notice::Kind::kDeath ? "death" : "death, more is known",
                         {{"container", sink::display_name(notice.autopsy->container)},
                          {"kind", notice.autopsy->kind},
                          {"text", sink::autopsy_sentence(*notice.autopsy)}});
  }
}

void log_start(const model::Status& status, int port) {
  log_info("oomen agent started", {{"version", status.version},
                                   {"node", status.node},
                                   {"cgroups", status.cgroup_mode},
                                   {"containers", std::to_string(status.containers)},
                                   {"port", std::to_string(port)}});
  for (const model::Hook& hook : status.hooks) {
    if (hook.attached)
      log_info("hook attached", {{"hook", hook.name}, {"rung", hook.rung}, {"why", hook.reason}});
    else
      log_warning("hook missing", {{"hook", hook.name}, {"why", hook.reason}});
  }
}

std::string host_name() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "localhost";
}

int complain(const base::Error& error) {
  log_error(error.message);
  return error.bad_input ? 2 : 1;
}

}  // namespace

int agent(const AgentOptions& options) {
  start_log(options.log_level, options.log_json);
  raise_descriptor_limit();
  std::string state_degraded;
  auto lock = lock_state(options.state_dir, state_degraded);
  if (!lock) return complain(lock.error());
  if (!state_degraded.empty())
    log_warning("the state folder can't be used", {{"why", state_degraded}});
  auto hierarchy = source::find_memory_hierarchy();
  if (!hierarchy) return complain(hierarchy.error());

  WatchOptions watch_options{options.bpf,
                             options.syscall_tracepoints,
                             options.only_growth_rung,
                             options.cgroup_root,
                             options.sensitivity,
                             options.pod_logs_dir,
                             options.node_name.empty() ? host_name() : options.node_name};
  sink::Publication publication;
  std::unique_ptr<NodeWatch> watch;
  Loop* running = nullptr;
  // Before any thread is started: all of them leave the signals to the loop.
  Loop loop([&] { watch->on_second(); }, {SIGTERM, SIGINT}, [&](int) { running->stop(); });
  running = &loop;
  auto server = sink::HttpServer::start({options.listen}, publication);
  if (!server) return complain(server.error());
  watch = std::make_unique<NodeWatch>(watch_options, *hierarchy, log_notice);

  auto publish = [&] {
    auto picture = watch->snapshot();
    picture->status.resident_bytes = resident_bytes();
    if (!state_degraded.empty()) {
      picture->status.degraded = true;
      picture->status.degraded_because.push_back(state_degraded);
    }
    publication.publish(std::move(picture));
  };
  watch->start();
  publish();
  log_start(publication.current()->status, (*server)->port());
  uint64_t published_ns = base::boottime_ns();
  loop.add(watch->kernel_events_fd(), [&] { watch->on_kernel_events(); });
  loop.add(watch->file_events_fd(), [&] { watch->on_file_events(); });
  loop.run([&] {
    uint64_t now = base::boottime_ns();
    if (!watch->take_news() && now - published_ns < 900'000'000) return;
    publish();
    published_ns = now;
  });
  log_info("oomen agent stopped");
  return 0;
}

}  // namespace oomen::app
