// Names from the kubelet's log links: /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace oomen::identity {

struct LogName {
  std::string pod, namespace_name, container, container_id;
};
std::optional<LogName> parse_log_name(std::string_view file_name);

}  // namespace oomen::identity
