#include "engine/container_engine.h"

#include <algorithm>
#include <cmath>

#include "engine/alarm.h"
#include "engine/detector.h"
#include "engine/fast_detector.h"
#include "engine/forecast.h"
#include "engine/pyramid.h"
#include "engine/verdict.h"

namespace oomen::engine {
namespace {

using model::Severity;

constexpr double kMinHold_s = 3600;  // of a slow claim
constexpr double kInfoShare = .6;    // of the needed share: worth a line, not an alert
constexpr double kGivenBack = .5;    // of the growth, in two troughs in a row
constexpr double kCriticalP50_s = 6 * 3600.0, kCriticalP10_s = 3 * 3600.0, kCriticalMaxAges = 2;
constexpr double kNoCeilingRoom = 2;  // a stand-in, so that there is a slope; no ETA is told
constexpr double kLimitMoved = .001;
constexpr double kEventShown_s = 900;
constexpr double kFreshShare = 1. / 16, kFreshAges = 1. / 64, kStalest_s = 900;

// A forecast made `elapsed_s` ago, told now.
Forecast aged(Forecast forecast, double elapsed_s) {
  auto shift = [&](double& eta) { eta = std::max(0., eta - elapsed_s); };
  shift(forecast.eta.p10_s);
  shift(forecast.eta.p50_s);
  shift(forecast.eta.p90_s);
  forecast.top.level_bytes += elapsed_s * forecast.top.slope_bytes_per_s;
  return forecast;
}

bool is_critical(const std::optional<Forecast>& forecast) {
  if (!forecast || !forecast->gated) return false;
  const model::Eta& eta = forecast->eta;
  return eta.p50_s <= kCriticalMaxAges * forecast->age_s &&
         (eta.p50_s < kCriticalP50_s || eta.p10_s < kCriticalP10_s);
}

}  // namespace

struct ContainerEngine::State {
  explicit State(const EngineSettings& given) : settings(given), pyramid(given.grid_offset_s) {}

  EngineSettings settings;
  Pyramid pyramid;
  FastDetector fast{kFastRule}, from_birth{kFromBirthRule};
  Alarm alarm;
  std::optional<double> limit_bytes;
  double highest_bytes = 0;
  double last_time_s = -1e300;
  uint32_t revision = 0;
  Window standing;  // the newest window that passed; rejected when the fast detector claimed
  std::string_view event;
  double event_until_s = 0;
  // What assess() makes on demand and what is made while an alert stands, kept while it is fresh.
  mutable Forecaster forecaster;
  mutable std::optional<Forecast> kept;
  mutable double kept_at_s = -1;
  mutable model::Verdict verdict = model::Verdict::kUnknown;
  mutable double verdict_since_s = 0;

  bool is_fresh(double age_s) const;
  const std::optional<Forecast>& forecast(bool exactly_now) const;
  void set_limit(std::optional<double> limit);
  void test_closed(uint32_t closed);
  void test_level(int level);
  void claim(const Window& window);
  void check_given_back(const Level& level);
  void look_fast();
  void settle();
};

bool ContainerEngine::State::is_fresh(double age_s) const {
  if (kept_at_s < 0) return false;
  double most =
      kept ? std::min(kept->age_s * kFreshAges, kept->eta.p50_s * kFreshShare) : age_s * kFreshAges;
  return age_s - kept_at_s <= std::min(most, kStalest_s);
}

const std::optional<Forecast>& ContainerEngine::State::forecast(bool exactly_now) const {
  double age = pyramid.age_s();
  if (kept_at_s == age || (!exactly_now && is_fresh(age))) return kept;
  kept = forecaster.forecast(pyramid, limit_bytes.value_or(kNoCeilingRoom * highest_bytes));
  if (kept && !limit_bytes) kept->gated = false;
  kept_at_s = age;
  return kept;
}

void ContainerEngine::State::set_limit(std::optional<double> limit) {
  if (limit && (!std::isfinite(*limit) || *limit <= 0)) limit.reset();
  bool moved = limit.has_value() != limit_bytes.has_value() ||
               (limit && std::abs(*limit - *limit_bytes) > kLimitMoved * *limit_bytes);
  bool farther = moved && (!limit || (limit_bytes && *limit > *limit_bytes));
  limit_bytes = limit;
  if (!moved) return;
  kept_at_s = -1;
  // Against a ceiling that moved away the case is made anew.
  if (farther) alarm.withdraw();
}

void ContainerEngine::State::claim(const Window& window) {
  standing = window;
  double until = last_time_s + std::max(kMinHold_s, window.age_s);
  alarm.claim(Severity::kWarning, last_time_s, until);
}

void ContainerEngine::State::test_level(int k) {
  for (int blocks : {16, 24}) {
    Window window = test_window(pyramid, k, blocks, limit_bytes, settings.sensitivity);
    if (window.passes())
      claim(window);
    else if (window.rejection >= Rejection::kYoung && window.share > kInfoShare * window.need)
      alarm.claim(Severity::kInfo, last_time_s, last_time_s + window.age_s / 2);
  }
}

void ContainerEngine::State::check_given_back(const Level& level) {
  double floor = standing.end_bytes - kGivenBack * standing.growth_bytes;
  if (level.size() >= 2 && level.at(0).low < floor && level.at(1).low < floor) alarm.withdraw();
}

void ContainerEngine::State::test_closed(uint32_t closed) {
  int first = std::max(kDetectorFirstLevel, pyramid.first_level(.99));
  for (int k = first; k < kLevels && (closed >> k & 1); ++k) {
    if (alarm.firing() && standing.passes() && k == standing.level)
      check_given_back(pyramid.level(k));
    test_level(k);
  }
}

void ContainerEngine::State::look_fast() {
  if (!limit_bytes) return;
  for (FastDetector* detector : {&fast, &from_birth}) {
    if (!detector->due(pyramid, *limit_bytes)) continue;
    const auto& found = forecast(true);
    if (detector->look(found, pyramid.open(0).high))
      alarm.claim(detector->severity(), last_time_s, last_time_s + fast_hold_s(*found));
  }
}

void ContainerEngine::State::settle() {
  bool was_firing = alarm.firing();
  // An alert that is urgent from the start starts so: one that changes its severity is told twice.
  if (alarm.claimed(last_time_s) && is_critical(forecast(false)))
    alarm.claim(Severity::kCritical, last_time_s, last_time_s + fast_hold_s(*kept));
  if (!alarm.settle(last_time_s)) return;
  ++revision;
  if (was_firing && !alarm.firing()) {
    event = "stopped";
    event_until_s = last_time_s + kEventShown_s;
    standing = Window{};
  }
}

ContainerEngine::ContainerEngine(EngineSettings settings)
    : state_(std::make_unique<State>(settings)) {}
ContainerEngine::~ContainerEngine() = default;
ContainerEngine::ContainerEngine(ContainerEngine&&) noexcept = default;
ContainerEngine& ContainerEngine::operator=(ContainerEngine&&) noexcept = default;

void ContainerEngine::add(double time_s, double bytes, std::optional<double> limit_bytes) {
  State& s = *state_;
  if (!(time_s > s.last_time_s) || !std::isfinite(time_s) || !std::isfinite(bytes) || bytes < 0)
    return;
  s.last_time_s = time_s;
  s.highest_bytes = std::max(s.highest_bytes, bytes);
  s.set_limit(limit_bytes);
  uint32_t closed = s.pyramid.add(time_s, float(bytes));
  if (closed) {
    s.test_closed(closed);
    s.look_fast();
  }
  if (s.alarm.severity() != Severity::kNone || closed) s.settle();
}

size_t ContainerEngine::state_bytes() {
  static_assert(sizeof(State) <= 12 * 1024);
  return sizeof(State);
}

uint32_t ContainerEngine::revision() const { return state_->revision; }

model::Assessment ContainerEngine::assess() const {
  const State& s = *state_;
  Findings found;
  found.severity = s.alarm.severity();
  found.limit_bytes = s.limit_bytes;
  found.window = s.alarm.firing() && s.standing.passes()
                     ? s.standing
                     : nearest_window(s.pyramid, s.limit_bytes, s.settings.sensitivity);
  const auto& kept = s.forecast(false);
  if (kept) found.forecast = aged(*kept, s.pyramid.age_s() - s.kept_at_s);

  model::Assessment out;
  out.verdict = verdict_of(s.pyramid, found);
  if (out.verdict != s.verdict || s.verdict_since_s == 0) {
    s.verdict = out.verdict;
    s.verdict_since_s = s.last_time_s;
  }
  out.since_s = s.verdict_since_s;
  out.severity = found.severity;
  out.firing = s.alarm.firing();
  out.firing_since_s = out.firing ? s.alarm.since_s() : 0;
  if (s.last_time_s < s.event_until_s) out.trend_event = s.event;
  if (found.forecast) {
    const Candidate& top = found.forecast->top;
    out.slope_bytes_per_s = top.slope_bytes_per_s;
    out.trough_bytes = top.level_bytes;
    out.swing_bytes = top.swing_bytes;
    out.window_s = top.age_s;
    if (s.limit_bytes) out.eta = found.forecast->eta;
    out.reliable = found.forecast->gated;
  }
  out.reasons = reasons_of(s.pyramid, found);
  return out;
}

}  // namespace oomen::engine
