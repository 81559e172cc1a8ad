#include "base/clock.h"

#include <ctime>

namespace oomen::base {
namespace {
uint64_t read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}
}  // namespace

uint64_t boottime_ns() { return read_clock(CLOCK_BOOTTIME); }
uint64_t walltime_ns() { return read_clock(CLOCK_REALTIME); }

std::string rfc3339_utc(uint64_t walltime_ns) {
  time_t whole = static_cast<time_t>(walltime_ns / 1'000'000'000);
  tm parts{};
  gmtime_r(&whole, &parts);
  char date[40];
  size_t n = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  char out[56];
  snprintf(out, sizeof out, "%.*s.%03uZ", static_cast<int>(n), date,
           static_cast<unsigned>(walltime_ns / 1'000'000 % 1000));
  return out;
}

}  // namespace oomen::base
