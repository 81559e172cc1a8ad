// One epoll loop: a beat every second, signals as events, and whatever descriptors are added.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/fd.h"

namespace oomen::app {

class Loop {
 public:
  // Blocks `signals` for this process (threads started later inherit that) and delivers them to
  // `on_signal`.
  Loop(std::function<void()> on_second, const std::vector<int>& signals,
       std::function<void(int)> on_signal);

  void add(int fd, std::function<void()> on_readable);
  // Until stop(); `after_turn` runs once after the events of each turn.
  void run(const std::function<void()>& after_turn);
  void stop() { stopped_ = true; }

 private:
  base::Fd epoll_, timer_, signals_;
  std::vector<std::function<void()>> handlers_;
  bool stopped_ = false;
};

}  // namespace oomen::app
