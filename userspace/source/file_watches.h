// inotify over cgroup files that the kernel notifies of (memory.events on v2): no polling of what
// did not change.
#pragma once
#include <functional>
#include <string>

#include "base/fd.h"

namespace oomen::source {

class FileWatches {
 public:
  FileWatches();
  int poll_fd() const { return fd_.get(); }
  // A number for the watch, or an error (the file vanished, the limit of watches is reached).
  base::Result<int> add(const std::string& path);
  void remove(int watch);
  // Calls `changed` once for each watch that fired, in any order.
  void drain(const std::function<void(int watch)>& changed);

 private:
  base::Fd fd_;
};

}  // namespace oomen::source
