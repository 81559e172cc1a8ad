// The kubelet's folder of links to container logs.
#pragma once
#include <string>

namespace oomen::source {

// The name of the link whose name ends in "-ID.log", or "" when there is none (yet).
std::string find_log_link(const std::string& directory, const std::string& container_id);

}  // namespace oomen::source
