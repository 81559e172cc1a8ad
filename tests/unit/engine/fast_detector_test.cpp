// Containers that die within minutes, read once a second: the demo's leak, longer ones, and the
// neighbours that only warm up.
#include <gtest/gtest.h>

#include "series.h"

namespace oomen::engine::testing {
namespace {

constexpr double kLimit = 96 * kMiB;
constexpr int kSeeds = 20;

struct Leak {
  double rate_mib_per_s;
  double least_lead_s;
  double most_life;  // share of its life by which it must be called
};

bool holds(const std::optional<model::Eta>& eta, double truth_s) {
  return eta && eta->p10_s <= truth_s && truth_s <= eta->p90_s;
}

class FastLeak : public ::testing::TestWithParam<Leak> {};

TEST_P(FastLeak, IsCalledInTimeWithAnHonestInterval) {
  int at_alarm = 0, late = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Sawtooth saw(random, 6 * kMiB, 12 * kMiB, 3, 8);
    Series series = sample(0, 4000, 1, kLimit, [&](double t) {
      return 8 * kMiB + GetParam().rate_mib_per_s * kMiB * t + saw.at(t);
    });
    double kill_s = series.back().time_s + 1;
    Outcome first = run(series, kLimit);
    ASSERT_TRUE(first.firing_s) << "seed " << seed;
    double lead_s = kill_s - *first.firing_s;
    EXPECT_GE(lead_s, GetParam().least_lead_s) << "seed " << seed << ", killed at " << kill_s;
    EXPECT_LE(*first.firing_s, GetParam().most_life * kill_s) << "seed " << seed;
    Outcome asked = run(series, kLimit, {*first.firing_s, .75 * kill_s});
    at_alarm += holds(asked.at[0].eta, lead_s);
    late += holds(asked.at[1].eta, .25 * kill_s);
    EXPECT_TRUE(asked.firing_at_end);
    EXPECT_EQ(asked.raised, 1) << "flapping, seed " << seed;
    EXPECT_EQ(asked.end.verdict, model::Verdict::kLeaking);
  }
  EXPECT_GE(at_alarm, .75 * kSeeds);
  EXPECT_GE(late, .75 * kSeeds);
}

INSTANTIATE_TEST_SUITE_P(Lives, FastLeak,
                         ::testing::Values(Leak{1, 28, .65},             // 80 s, the demo
                                           Leak{80. / 300, 105, .65},    // 5 min
                                           Leak{80. / 900, 300, .65}));  // 15 min

TEST(FastWarmUp, NeverFires) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Sawtooth saw(random, 6 * kMiB, 12 * kMiB, 3, 8);
    double plateau = std::uniform_real_distribution<>(40, 50)(random);
    double tau = std::uniform_real_distribution<>(10, 20)(random);
    Series series = sample(0, 900, 1, kLimit, [&](double t) {
      return (8 + (plateau - 8) * (1 - std::exp(-t / tau))) * kMiB + saw.at(t);
    });
    Outcome result = run(series, kLimit);
    EXPECT_FALSE(result.firing_s) << "seed " << seed << " at " << *result.firing_s;
    EXPECT_NE(result.end.verdict, model::Verdict::kLeaking);
  }
}

TEST(FastLeakInAnOldContainer, IsCalledToo) {
  std::mt19937 random(7);
  Sawtooth saw(random, 6 * kMiB, 12 * kMiB, 3, 8);
  double onset_s = 6 * kHour;
  Series series = sample(0, 8 * kHour, 1, kLimit, [&](double t) {
    return 20 * kMiB + std::max(0., t - onset_s) * .15 * kMiB + saw.at(t);
  });
  double kill_s = series.back().time_s + 1;
  Outcome result = run(series, kLimit);
  ASSERT_TRUE(result.firing_s);
  EXPECT_GT(*result.firing_s, onset_s);
  EXPECT_LE(*result.firing_s - onset_s, .65 * (kill_s - onset_s));
}

TEST(ALeakThatStops, IsOverAndSaysSo) {
  std::mt19937 random(3);
  Sawtooth saw(random, 3 * kMiB, 6 * kMiB, 3, 8);
  Series series = sample(0, 3000, 1, kLimit, [&](double t) {
    return (10 + .15 * std::min(t, 360.)) * kMiB + saw.at(t);
  });
  ContainerEngine engine;
  bool fired = false, said = false;
  for (const Point& p : series) {
    engine.add(p.time_s, p.bytes, kLimit);
    if (int(p.time_s) % 10) continue;
    auto now = engine.assess();
    fired |= now.firing;
    said |= fired && !now.firing && now.trend_event == "stopped";
  }
  EXPECT_TRUE(fired);
  EXPECT_TRUE(said);
  EXPECT_FALSE(engine.assess().firing);
}

}  // namespace
}  // namespace oomen::engine::testing
