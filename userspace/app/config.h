// The agent's configuration file (YAML).
#pragma once
#include <string>

#include "app/options.h"
#include "base/result.h"

namespace oomen::app {

// Lays the file's values over `options`. An unknown key is named with its line and the nearest
// right one.
base::Result<AgentOptions> load_config(const std::string& path, AgentOptions options);
// The same from text; `name` stands in messages. Pure.
base::Result<AgentOptions> parse_config(const std::string& text, const std::string& name,
                                        AgentOptions options);

}  // namespace oomen::app
