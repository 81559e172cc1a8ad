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

struct RunWords {
  RunOptions options;
  std::string limit;
  bool no_bpf = false;
};

void add_run_words(CLI::App& command, RunWords& words) {
  command.add_option("--limit", words.limit, "memory limit, such as 96Mi")
      ->type_name("SIZE")
      ->check(bytes_checker);
  command.add_option("--name", words.options.name, "its name, as a pod's")->type_name("NS/POD");
  command
      .add_option("--save", words.options.save_file, "write the series as CSV for `oomen replay`")
      ->type_name("FILE");
  command.add_flag("--no-bpf", words.no_bpf, "read the cgroup files only");
  command.add_option("command", words.options.command, "the command, after --")->required();
  command.prefix_command(false);
}

RunOptions resolve(const RunWords& words) {
  RunOptions options = words.options;
  if (!words.limit.empty()) options.limit_bytes = *base::parse_bytes(words.limit);
  options.bpf = !words.no_bpf;
  return options;
}

struct ReplayWords {
  ReplayOptions options;
  std::string limit, every = "15m", grid_offset = "0s";
};

void add_replay_words(CLI::App& command, ReplayWords& words) {
  command.add_flag("--json", words.options.json, "one JSON object a line");
  command.add_option("--every", words.every, "say the forecast at least this often")
      ->type_name("DURATION")
      ->check(duration_checker)
      ->capture_default_str();
  command.add_option("--limit", words.limit, "the ceiling, where the file has none")
      ->type_name("SIZE")
      ->check(bytes_checker);
  command.add_option("--grid-offset", words.grid_offset, "shift the engine's block grid")
      ->type_name("DURATION")
      ->check(duration_checker)
      ->capture_default_str();
  command.add_option("file", words.options.file, "the series; - is standard input")
      ->required()
      ->type_name("FILE");
}

ReplayOptions resolve(const ReplayWords& words) {
  ReplayOptions options = words.options;
  if (!words.limit.empty()) options.limit_bytes = *base::parse_bytes(words.limit);
  options.every_s = *base::parse_duration_s(words.every);
  options.grid_offset_s = *base::parse_duration_s(words.grid_offset);
  return options;
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
  RunWords run_words;
  ReplayWords replay_words;
  DoctorOptions doctor_options;
  auto* agent = app.add_subcommand("agent", "the daemon: metrics, health, API");
  add_agent_words(*agent, agent_words);
  auto* run = app.add_subcommand("run", "run a command in a memory cgroup of its own and watch it");
  add_run_words(*run, run_words);
  auto* replay = app.add_subcommand(
      "replay", "the engine over a recorded series: CSV `time_s,bytes[,limit_bytes]`");
  add_replay_words(*replay, replay_words);
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

  if (*run) return resolve(run_words);
  if (*replay) return resolve(replay_words);
  auto options = *agent ? resolve(*agent, agent_words) : resolve(*doctor, doctor_words);
  if (!options) return complain(options.error());
  if (*agent) return AgentCommand{*options};
  doctor_options.agent = *options;
  return doctor_options;
}

}  // namespace oomen::app
