#include "source/log_links.h"

#include <filesystem>

namespace oomen::source {

std::string find_log_link(const std::string& directory, const std::string& container_id) {
  std::error_code failed;
  const std::string end = "-" + container_id + ".log";
  for (auto entry = std::filesystem::directory_iterator(directory, failed);
       !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    std::string name = entry->path().filename();
    if (name.ends_with(end)) return name;
  }
  return {};
}

}  // namespace oomen::source
