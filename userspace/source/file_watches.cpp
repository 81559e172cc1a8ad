#include "source/file_watches.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <set>

namespace oomen::source {

FileWatches::FileWatches() : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

base::Result<int> FileWatches::add(const std::string& path) {
  int watch = ::inotify_add_watch(fd_.get(), path.c_str(), IN_MODIFY);
  if (watch < 0) return base::errno_error("watching " + path);
  return watch;
}

void FileWatches::remove(int watch) { ::inotify_rm_watch(fd_.get(), watch); }

void FileWatches::drain(const std::function<void(int)>& changed) {
  alignas(inotify_event) char buffer[4096];
  std::set<int> fired;
  for (ssize_t got; (got = ::read(fd_.get(), buffer, sizeof buffer)) > 0;)
    for (ssize_t at = 0; at < got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      if (event->mask & IN_MODIFY) fired.insert(event->wd);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  for (int watch : fired) changed(watch);
}

}  // namespace oomen::source
