// Operators and their memory as people reported it, each as a seeded synthetic series with its
// right outcome.
#include <gtest/gtest.h>

#include "series.h"

namespace oomen::engine::testing {
namespace {

constexpr unsigned kSeeds = 5;

struct Case {
  const char* name;
  double limit_bytes;
  double step_s;
  double lasts_s;
  std::function<double(double, std::mt19937&)> bytes_at;
  // The warning is due from this to that time; absent: never.
  std::optional<std::pair<double, double>> warning_s;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

double noise(std::mt19937& random, double sd) { return std::normal_distribution<>(0, sd)(random); }

class Field : public ::testing::TestWithParam<Case> {};

TEST_P(Field, HasItsOutcome) {
  const Case& c = GetParam();
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Series series = sample(0, c.lasts_s, c.step_s, c.limit_bytes,
                           [&](double t) { return c.bytes_at(t, random); });
    Outcome result = run(series, c.limit_bytes);
    if (!c.warning_s) {
      EXPECT_FALSE(result.firing_s) << "fired at " << result.firing_s.value_or(0) / kHour << " h";
      continue;
    }
    ASSERT_TRUE(result.firing_s) << "seed " << seed;
    EXPECT_GE(*result.firing_s, c.warning_s->first);
    EXPECT_LE(*result.firing_s, c.warning_s->second);
  }
}

double steps(double t, std::initializer_list<std::pair<double, double>> at) {
  double sum = 0;
  for (auto [when, size] : at) sum += t >= when ? size : 0;
  return sum;
}

const Case kCases[] = {
    {"goroutine stacks, 50 MiB/h from 420 MiB, dies in 12 h", kGiB, 60, 20 * kHour,
     [](double t, auto& r) { return 420 * kMiB + 50 * kMiB * t / kHour + noise(r, 2 * kMiB); },
     std::pair{1 * kHour, 9.5 * kHour}},
    {"0.2 GiB/h from 1 GiB to 5 GiB", 5 * kGiB, 60, 30 * kHour,
     [](double t, auto& r) { return kGiB + .2 * kGiB * t / kHour + noise(r, 10 * kMiB); },
     std::pair{2 * kHour, 16 * kHour}},
    {"KEDA, 35 MB/h to 1000 MiB", 1000 * kMiB, 60, 40 * kHour,
     [](double t, auto& r) { return 60 * kMiB + 35e6 * t / kHour + noise(r, 3 * kMiB); },
     std::pair{2 * kHour, 22 * kHour}},
    {"200 MB to 3 GB in two weeks", 3e9, 300, 15 * kDay,
     [](double t, auto& r) { return 200e6 + 2.8e9 * t / (14 * kDay) + noise(r, 10e6); },
     std::pair{.5 * kDay, 3 * kDay}},
    {"37 MiB a day to 1 GiB", kGiB, 300, 28 * kDay,
     [](double t, auto& r) { return 60 * kMiB + 37 * kMiB * t / kDay + noise(r, 5 * kMiB); },
     std::pair{2 * kDay, 12 * kDay}},
    {"a leak only at night", 2 * kGiB, 60, 20 * kDay,
     [](double t, auto& r) {
       double day = std::floor(t / kDay), hour = std::fmod(t, kDay) / kHour;
       return 400 * kMiB + 120 * kMiB * (day + std::min(hour, 8.) / 8) + noise(r, 10 * kMiB);
     },
     std::pair{1 * kDay, 10 * kDay}},
    {"heap after growing in steps that decay, then kept", kGiB, 60, 6 * kDay,
     [](double t, auto& r) {
       return 100 * kMiB + noise(r, kMiB) +
              kMiB * steps(t, {{kHour, 69}, {7 * kHour, 28}, {20 * kHour, 13}, {50 * kHour, 6}});
     },
     std::nullopt},
    {"a job's step, then flat for days", kGiB, 60, 6 * kDay,
     [](double t, auto& r) {
       return 120 * kMiB + noise(r, 2 * kMiB) + kMiB * steps(t, {{2 * kDay, 400}});
     },
     std::nullopt},
    {"a spike at start, then a fifth of it", kGiB, 1, 2 * kHour,
     [](double t, auto& r) {
       double peak = 480 * kMiB;
       return (t < 60 ? peak * t / 60 : peak * (.15 + .85 * std::exp(-(t - 60) / 60))) +
              noise(r, 5 * kMiB);
     },
     std::nullopt},
    {"a JVM that warms up for half an hour", kGiB, 10, 10 * kHour,
     [](double t, auto& r) {
       return (150 + 450 * (1 - std::exp(-t / 600))) * kMiB + noise(r, 5 * kMiB);
     },
     std::nullopt},
    {"daily rhythm", kGiB, 300, 21 * kDay,
     [](double t, auto& r) {
       return (450 + 200 * std::sin(t / kDay * 2 * M_PI)) * kMiB + noise(r, 15 * kMiB);
     },
     std::nullopt},
    {"flat", 256 * kMiB, 1, 3 * kHour,
     [](double, auto& r) { return 100 * kMiB + noise(r, 2 * kMiB); }, std::nullopt},
};
INSTANTIATE_TEST_SUITE_P(Kinds, Field, ::testing::ValuesIn(kCases));

class CollectedHeap : public ::testing::TestWithParam<double> {
 protected:
  static Series heap(double period_s, unsigned seed) {
    std::mt19937 random(seed);
    Sawtooth saw(random, 150 * kMiB, 250 * kMiB, .8 * period_s, 1.2 * period_s);
    return sample(0, 60 * period_s, std::max(1., period_s / 60), kGiB,
                  [&](double t) { return 300 * kMiB + saw.at(t) + noise(random, 2 * kMiB); });
  }
};

// Garbage collectors leave a sawtooth whose period is anything from seconds to days.
TEST_P(CollectedHeap, NeverFires) {
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    EXPECT_FALSE(run(heap(GetParam(), seed), kGiB).firing_s) << "seed " << seed;
}
INSTANTIATE_TEST_SUITE_P(Periods, CollectedHeap,
                         ::testing::Values(7., 60., 600., kHour, 10 * kHour));

// A tooth of days is a slow leak until it is first collected. The first ones teach: a higher one
// may still be called, the many after them not.
TEST_F(CollectedHeap, OfDaysIsKnownAfterItsFirstTeeth) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    Outcome result = run(heap(60 * kHour, seed), kGiB);
    EXPECT_LE(result.raised, 2) << "seed " << seed;
    EXPECT_LT(result.last_raised_s, 3 * 60 * kHour);
    EXPECT_FALSE(result.firing_at_end);
  }
}

// 111 readings 15 min apart of 0.16 to 5.3 GB, the highest half an hour after the first, the lowest
// at hour nine: the last hour's rate would foretell a death that never came.
TEST(WideSawtooth, IsASwingNotALeak) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Sawtooth saw(random, 1e9, 4e9, 3 * kHour, 9 * kHour);
    Series series = sample(0, 111 * 900, 900, 10 * kGiB, [&](double t) {
      double bytes = t <= 1800 ? 2.06e9 + 3.2e9 * t / 1800 : .2e9 + saw.at(t - 1800);
      return bytes + std::uniform_real_distribution<>(0, .6e9)(random);
    });
    Outcome result = run(series, 10 * kGiB);
    EXPECT_FALSE(result.firing_s) << "seed " << seed;
    EXPECT_NE(result.end.verdict, model::Verdict::kLeaking) << "seed " << seed;
  }
}

}  // namespace
}  // namespace oomen::engine::testing
