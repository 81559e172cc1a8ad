#include "identity/log_name.h"

namespace oomen::identity {

std::optional<LogName> parse_log_name(std::string_view name) {
  constexpr std::string_view kEnd = ".log";
  constexpr size_t kIdLength = 64;
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  // None of the names may hold "_", so the two first ones part them; the id's length is fixed.
  size_t first = name.find('_');
  size_t second = first == name.npos ? name.npos : name.find('_', first + 1);
  if (second == name.npos || name.size() < second + 3 + kIdLength) return std::nullopt;
  size_t dash = name.size() - kIdLength - 1;
  if (name[dash] != '-' || dash <= second + 1 || first == 0 || second == first + 1)
    return std::nullopt;
  return LogName{
      std::string(name.substr(0, first)), std::string(name.substr(first + 1, second - first - 1)),
      std::string(name.substr(second + 1, dash - second - 1)), std::string(name.substr(dash + 1))};
}

}  // namespace oomen::identity
