// What the engine costs: prints nanoseconds a reading, microseconds an assessment, bytes of state.
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "engine/container_engine.h"

using namespace oomen;

namespace {

constexpr double kMiB = 1 << 20, kLimit = 1024 * kMiB;
using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<double> series(size_t n, double rise) {
  std::mt19937 random(1);
  std::normal_distribution<> noise(0, 5 * kMiB);
  std::vector<double> out(n);
  for (size_t i = 0; i < n; ++i)
    out[i] = 200 * kMiB + rise * 700 * kMiB * double(i) / double(n) + noise(random);
  return out;
}

void measure(const char* name, double step_s, double rise) {
  constexpr size_t kReadings = 2'000'000;
  auto bytes = series(kReadings, rise);
  engine::ContainerEngine engine;
  auto start = Clock::now();
  for (size_t i = 0; i < kReadings; ++i) engine.add(double(i) * step_s, bytes[i], kLimit);
  double took_s = seconds_since(start);
  std::printf("%-28s %7.0f ns a reading, %5.1f M readings/s\n", name, took_s / kReadings * 1e9,
              kReadings / took_s / 1e6);
}

void measure_assess(const char* name, double rise, size_t readings) {
  auto bytes = series(readings, rise);
  engine::ContainerEngine engine;
  double took_s = 0;
  for (size_t i = 0; i < readings; ++i) {
    engine.add(double(i), bytes[i], kLimit);
    auto start = Clock::now();
    auto now = engine.assess();
    took_s += seconds_since(start);
    if (now.since_s < 0) std::puts("");
  }
  std::printf("%-28s %7.1f us an assessment, once a second for %zu s\n", name,
              took_s / double(readings) * 1e6, readings);
}

}  // namespace

int main() {
  std::printf("state %zu bytes\n", engine::ContainerEngine::state_bytes());
  for (double step_s : {1., 10., 60., 300.}) {
    std::string every = ", every " + std::to_string(int(step_s)) + " s";
    measure(("flat" + every).c_str(), step_s, 0);
    measure(("rising" + every).c_str(), step_s, 1);
  }
  measure_assess("flat", 0, 20'000);
  measure_assess("rising", 1, 20'000);
}
