// Properties: what must hold for any series.
#include "engine/container_engine.h"

#include <gtest/gtest.h>

#include "series.h"

namespace oomen::engine::testing {
namespace {

constexpr double kLimit = 400 * kMiB;

Series leak(double step_s = 60) {
  std::mt19937 random(11);
  Sawtooth saw(random, 10 * kMiB, 30 * kMiB, 200, 400);
  return sample(0, 3 * kDay, step_s, kLimit, [&](double t) {
    return 100 * kMiB + std::max(0., t - kDay) * 250 * kMiB / kDay + saw.at(t);
  });
}

void expect_same(const model::Assessment& a, const model::Assessment& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.severity, b.severity);
  EXPECT_EQ(a.firing, b.firing);
  EXPECT_EQ(a.reliable, b.reliable);
  ASSERT_EQ(a.eta.has_value(), b.eta.has_value());
  EXPECT_NEAR(a.slope_bytes_per_s, b.slope_bytes_per_s, 1e-3 * std::abs(a.slope_bytes_per_s));
  if (!a.eta) return;
  EXPECT_NEAR(a.eta->p10_s, b.eta->p10_s, 1e-3 * a.eta->p50_s);
  EXPECT_NEAR(a.eta->p50_s, b.eta->p50_s, 1e-3 * a.eta->p50_s);
  EXPECT_NEAR(a.eta->p90_s, b.eta->p90_s, 1e-3 * a.eta->p90_s);
}

TEST(ContainerEngine, SaysUnknownWithoutReadings) {
  ContainerEngine engine;
  EXPECT_EQ(engine.assess().verdict, model::Verdict::kUnknown);
  engine.add(0, 1, kLimit);
  auto one = engine.assess();
  EXPECT_EQ(one.verdict, model::Verdict::kUnknown);
  ASSERT_FALSE(one.reasons.empty());
  EXPECT_EQ(one.reasons[0].code, "too_short");
  EXPECT_FALSE(one.eta);
}

TEST(ContainerEngine, AShiftOfTheClockChangesNothing) {
  Series series = leak(), shifted = series;
  for (Point& p : shifted) p.time_s += 1 << 30;
  Outcome a = run(series, kLimit), b = run(shifted, kLimit);
  expect_same(a.end, b.end);
  ASSERT_TRUE(a.firing_s && b.firing_s);
  EXPECT_DOUBLE_EQ(*a.firing_s, *b.firing_s - (1 << 30));
}

TEST(ContainerEngine, ScalingBytesScalesTheSlope) {
  Series series = leak(), scaled = series;
  for (Point& p : scaled) p.bytes *= 8;
  Outcome a = run(series, kLimit), b = run(scaled, 8 * kLimit);
  a.end.slope_bytes_per_s *= 8;
  expect_same(a.end, b.end);
  EXPECT_EQ(a.firing_s, b.firing_s);
}

TEST(ContainerEngine, DuplicatesAndTimesThatGoBackAreIgnored) {
  Series series = leak(), noisy;
  for (const Point& p : series) {
    noisy.push_back(p);
    noisy.push_back({p.time_s, 1e15});
    noisy.push_back({p.time_s - 30, 0});
  }
  expect_same(run(series, kLimit).end, run(noisy, kLimit).end);
}

TEST(ContainerEngine, WhatIsNotANumberIsIgnored) {
  Series series = leak(), noisy;
  for (const Point& p : series) {
    noisy.push_back(p);
    for (double bad : {double(NAN), double(INFINITY), -1.}) noisy.push_back({p.time_s + 1, bad});
    noisy.push_back({NAN, p.bytes});
  }
  expect_same(run(series, kLimit).end, run(noisy, kLimit).end);
}

TEST(ContainerEngine, GapsDoNotHideALeak) {
  Series whole = leak(), holes;
  std::mt19937 random(5);
  double gap_until_s = 0;
  for (const Point& p : whole) {
    if (random() % 500 == 0) gap_until_s = p.time_s + 2 * kHour;
    if (p.time_s >= gap_until_s && random() % 20) holes.push_back(p);
  }
  Outcome result = run(holes, kLimit);
  ASSERT_TRUE(result.firing_s);
  EXPECT_GT(*result.firing_s, kDay);
  EXPECT_LT(*result.firing_s, 1.8 * kDay);
}

TEST(ContainerEngine, ADayWithoutReadingsIsNoAlarm) {
  std::mt19937 random(2);
  Series series;
  for (double t = 0; t < 3 * kDay; t += 60)
    if (t < kDay || t > 2 * kDay)
      series.push_back({t, 150 * kMiB + std::normal_distribution<>(0, 3 * kMiB)(random)});
  EXPECT_FALSE(run(series, kLimit).firing_s);
}

TEST(ContainerEngine, WithoutALimitThereIsASlopeAndNoEta) {
  Outcome result = run(leak(), std::nullopt);
  EXPECT_FALSE(result.firing_s);
  EXPECT_FALSE(result.end.eta);
  EXPECT_FALSE(result.end.reliable);
  EXPECT_NEAR(result.end.slope_bytes_per_s, 250 * kMiB / kDay, 60 * kMiB / kDay);
}

TEST(ContainerEngine, ARaisedLimitEndsTheAlertAndALoweredOneBringsIt) {
  ContainerEngine engine;
  Series series = leak();
  size_t i = 0;
  while (i < series.size() && !engine.assess().firing) {
    engine.add(series[i].time_s, series[i].bytes, kLimit);
    ++i;
  }
  ASSERT_TRUE(engine.assess().firing);
  for (size_t end = i + 30; i < end; ++i) engine.add(series[i].time_s, series[i].bytes, 64 * kGiB);
  EXPECT_FALSE(engine.assess().firing);
  auto far = engine.assess();
  EXPECT_TRUE(!far.eta || !far.reliable || far.eta->p50_s > kDay);
  for (; i < series.size() && !engine.assess().firing; ++i)
    engine.add(series[i].time_s, series[i].bytes, kLimit);
  EXPECT_TRUE(engine.assess().firing);
}

TEST(ContainerEngine, ALimitThatFallsOnFlatMemoryIsNotGrowth) {
  ContainerEngine engine;
  std::mt19937 random(4);
  for (double t = 0; t < 2 * kDay; t += 60) {
    engine.add(t, 300 * kMiB + std::normal_distribution<>(0, 3 * kMiB)(random),
               t < kDay ? 800 * kMiB : 400 * kMiB);
    if (int(t) % 3600 == 0) {
      EXPECT_FALSE(engine.assess().firing) << t;
    }
  }
}

TEST(ContainerEngine, GrowthThatIsGivenBackEndsTheAlert) {
  ContainerEngine engine;
  bool fired = false;
  Series series = leak();
  double last_s = 0;
  for (const Point& p : series) {
    engine.add(p.time_s, p.bytes, kLimit);
    fired |= engine.assess().firing;
    last_s = p.time_s;
    if (p.bytes > 300 * kMiB) break;
  }
  ASSERT_TRUE(fired);
  std::mt19937 random(6);
  for (double t = last_s + 60; t < last_s + 3 * kHour; t += 60)
    engine.add(t, 110 * kMiB + std::normal_distribution<>(0, 3 * kMiB)(random), kLimit);
  EXPECT_FALSE(engine.assess().firing);
}

TEST(ContainerEngine, AnAlertCarriesReasonsAndAnInterval) {
  Outcome result = run(leak(), kLimit);
  ASSERT_TRUE(result.firing_at_end);
  ASSERT_TRUE(result.end.eta);
  EXPECT_LE(result.end.eta->p10_s, result.end.eta->p50_s);
  EXPECT_LE(result.end.eta->p50_s, result.end.eta->p90_s);
  ASSERT_FALSE(result.end.reasons.empty());
  EXPECT_EQ(result.end.reasons[0].code, "troughs_rise");
  EXPECT_FALSE(result.end.reasons[0].against);
  EXPECT_GE(result.end.firing_since_s, kDay);
}

TEST(ContainerEngine, TheGridsOffsetHardlyMatters) {
  Series series = leak();
  for (double offset_s : {-100., 13., 3600., 1e6}) {
    Outcome result = run(series, kLimit, {}, {.sensitivity = 1, .grid_offset_s = offset_s});
    ASSERT_TRUE(result.firing_s) << offset_s;
    EXPECT_GT(*result.firing_s, kDay);
    EXPECT_LT(*result.firing_s, 1.75 * kDay);
  }
}

}  // namespace
}  // namespace oomen::engine::testing
