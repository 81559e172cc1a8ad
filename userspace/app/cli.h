#pragma once
#include <string>
#include <variant>

#include "app/options.h"

namespace oomen::app {

// Nothing to run: help or version was asked, or the words were wrong. Already printed.
struct Exit {
  int code;
};
struct AgentCommand {
  AgentOptions options;
};
using Command = std::variant<Exit, AgentCommand, RunOptions, ReplayOptions, DoctorOptions>;

Command parse_command_line(int argc, char** argv);

}  // namespace oomen::app
