#include "app/cli.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/config.h"
#include "base/units.h"

namespace oomen::app {
namespace {

std::string bytes_checker(const std::string& text) {
  auto bytes = base::parse_bytes(text);
  return bytes ? "" : bytes.error().message;
}
std::string duration_checker(const std::string& text) {
  auto duration = base::parse_duration_s(text);
  return duration ? "" : duration.error().message;
}

struct AgentWords {
  std::string config;
  bool no_bpf = false;
  AgentOptions flags;
};

void add_agent_words(CLI::App& command, AgentWords& words) {
  command.add_option("--config", words.config, "YAML file; flags win over it")->type_name("FILE");
  command.add_option("--listen", words.flags.listen, "address and port of metrics, health and API")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  command.add_option("--node", words.flags.node_name, "this node's name (default: the host's)")
      ->type_name("NAME");
  command.add_option("--state", words.flags.state_dir, "folder for what outlives the agent")
      ->type_name("DIR")
      ->capture_default_str();
  command
      .add_option("--cgroup", words.flags.cgroup_root,
                  "watch only below this path of the memory hierarchy")
      ->type_name("PATH");
  command.add_option("--pod-logs", words.flags.pod_logs_dir, "where the kubelet keeps pod logs")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("--log-level", words.flags.log_level, "what to log")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str();
  command.add_flag("--log-json", words.flags.log_json, "log JSON lines");
  command.add_flag("--no-bpf", words.no_bpf, "read the cgroup files only");
  command.add_flag("--syscall-tracepoints", words.flags.syscall_tracepoints,
                   "allow growth by syscall tracepoints, which slow every system call of the node");
  command.add_option("--growth-rung", words.flags.only_growth_rung, "growth by this hook or none")
      ->check(CLI::IsMember({"fexit", "vm_unmapped_area", "kprobe", "syscalls"}))
      ->type_name("RUNG");
}

// Flags that were given win over the file, the file over the defaults.
base::Result<AgentOptions> resolve(CLI::App& command, const AgentWords& words) {
  AgentOptions options;
  if (!words.config.empty()) {
    auto loaded = load_config(words.config, options);
    if (!loaded) return std::move(loaded).error();
    options = *loaded;
  }
  auto given = [&](const char* flag) { return command.count(flag) > 0; };
  if (given("--listen")) options.listen = words.flags.listen;
  if (given("--node")) options.node_name = words.flags.node_name;
  if (given("--state")) options.state_dir = words.flags.state_dir;
  if (given("--cgroup")) options.cgroup_root = words.flags.cgroup_root;
  if (given("--pod-logs")) options.pod_logs_dir = words.flags.pod_logs_dir;
  if (given("--log-level")) options.log_level = words.flags.log_level;
  if (given("--log-json")) options.log_json = true;
  if (given("--no-bpf")) options.bpf = false;
  if (given("--syscall-tracepoints")) options.syscall_tracepoints = true;
  if (given("--growth-rung")) options.only_growth_rung = words.flags.only_growth_rung;
  return options;
}

Exit complain(const base::Error& error) {
  std::fprintf(stderr, "oomen: %s\n", error.message.c_str());
  return Exit{2};
}

}  // namespace

Command parse_command_line(int argc, char** argv) {
  CLI::App app{
      "oomen watches the memory of every container on this node and says which one will be "
      "OOM-killed, when and why."};
  app.name("oomen");
  app.set_version_flag("--version", std::string("oomen ") + OOMEN_VERSION);
  app.require_subcommand(1);

  AgentWords agent_words, doctor_words;
  auto* agent = app.add_subcommand("agent", "the daemon: metrics, health, API");
  add_agent_words(*agent, agent_words);

  RunOptions run_options;
  std::string run_limit;
  bool run_no_bpf = false;
  auto* run = app.add_subcommand("run", "run a command in a memory cgroup of its own and watch it");
  run->add_option("--limit", run_limit, "memory limit, such as 96Mi")
      ->type_name("SIZE")
      ->check(bytes_checker);
  run->add_option("--name", run_options.name, "its name, as a pod's")->type_name("NS/POD");
  run->add_option("--save", run_options.save_file, "write the series as CSV for `oomen replay`")
      ->type_name("FILE");
  run->add_flag("--no-bpf", run_no_bpf, "read the cgroup files only");
  run->add_option("command", run_options.command, "the command, after --")->required();
  run->prefix_command(false);

  ReplayOptions replay_options;
  std::string replay_limit, replay_every = "15m", replay_offset = "0s";
  auto* replay = app.add_subcommand(
      "replay", "the engine over a recorded series: CSV `time_s,bytes[,limit_bytes]`");
  replay->add_flag("--json", replay_options.json, "one JSON object a line");
  replay->add_option("--every", replay_every, "say the forecast at least this often")
      ->type_name("DURATION")
      ->check(duration_checker)
      ->capture_default_str();
  replay->add_option("--limit", replay_limit, "the ceiling, where the file has none")
      ->type_name("SIZE")
      ->check(bytes_checker);
  replay->add_option("--grid-offset", replay_offset, "shift the engine's block grid")
      ->type_name("DURATION")
      ->check(duration_checker)
      ->capture_default_str();
  replay->add_option("file", replay_options.file, "the series; - is standard input")
      ->required()
      ->type_name("FILE");

  DoctorOptions doctor_options;
  auto* doctor =
      app.add_subcommand("doctor", "what this node allows, what is missing and what it costs");
  doctor->add_flag("--json", doctor_options.json, "as JSON");
  add_agent_words(*doctor, doctor_words);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    bool was_asked = stop.get_exit_code() == 0;  // --help, --version
    return was_asked ? Exit{app.exit(stop)} : complain(base::input_error(stop.what()));
  }

  if (*agent) {
    auto options = resolve(*agent, agent_words);
    if (!options) return complain(options.error());
    return AgentCommand{*options};
  }
  if (*run) {
    if (!run_limit.empty()) run_options.limit_bytes = *base::parse_bytes(run_limit);
    run_options.bpf = !run_no_bpf;
    return run_options;
  }
  if (*replay) {
    if (!replay_limit.empty()) replay_options.limit_bytes = *base::parse_bytes(replay_limit);
    replay_options.every_s = *base::parse_duration_s(replay_every);
    replay_options.grid_offset_s = *base::parse_duration_s(replay_offset);
    return replay_options;
  }
  auto options = resolve(*doctor, doctor_words);
  if (!options) return complain(options.error());
  doctor_options.agent = *options;
  return doctor_options;
}

}  // namespace oomen::app
