#include "app/loop.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <csignal>

namespace oomen::app {

Loop::Loop(std::function<void()> on_second, const std::vector<int>& signals,
           std::function<void(int)> on_signal)
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC)) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : signals) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = base::Fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  itimerspec every{{1, 0}, {1, 0}};
  ::timerfd_settime(timer_.get(), 0, &every, nullptr);
  add(timer_.get(), [this, on_second = std::move(on_second)] {
    uint64_t expirations;
    // Late by several seconds is still one beat: readings are of now, not of the seconds missed.
    if (::read(timer_.get(), &expirations, sizeof expirations) > 0) on_second();
  });
  add(signals_.get(), [this, on_signal = std::move(on_signal)] {
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) > 0)
      on_signal(static_cast<int>(info.ssi_signo));
  });
}

void Loop::add(int fd, std::function<void()> on_readable) {
  if (fd < 0) return;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = handlers_.size();
  handlers_.push_back(std::move(on_readable));
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void Loop::run(const std::function<void()>& after_turn) {
  while (!stopped_) {
    epoll_event events[16];
    int count = ::epoll_wait(epoll_.get(), events, 16, -1);
    for (int i = 0; i < count; ++i) handlers_[events[i].data.u64]();
    after_turn();
  }
}

}  // namespace oomen::app
