// What each command is told, parsed and checked. Plain data between the command line, the config
// file and the commands.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace oomen::app {

struct AgentOptions {
  std::string listen = "127.0.0.1:9747";
  std::string node_name;  // "" the host's name
  std::string state_dir = "/var/lib/oomen";
  std::string log_level = "info";
  bool log_json = false;
  bool bpf = true;
  bool syscall_tracepoints = false;
  std::string only_growth_rung;  // tests compare rungs
  double sensitivity = 1;
  std::string cgroup_root;  // "" all; else only cgroups below this path of the memory hierarchy
  std::string pod_logs_dir = "/var/log/pods";
};

struct RunOptions {
  std::optional<uint64_t> limit_bytes;
  std::string name;       // NS/POD, "" made from the command
  std::string save_file;  // CSV `time_s,bytes,limit_bytes` for `oomen replay`
  bool bpf = true;
  std::vector<std::string> command;
};

struct ReplayOptions {
  bool json = false;
  double every_s = 900;
  std::optional<uint64_t> limit_bytes;
  double grid_offset_s = 0;
  std::string file;  // "-" standard input
};

struct DoctorOptions {
  bool json = false;
  AgentOptions agent;  // what the agent would be told
};

}  // namespace oomen::app
