#include "engine/forecast.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace oomen::engine {
namespace {

constexpr int kMinLevelBlocks = 6;
constexpr double kReadingsPerBlock = 1.9, kReadingsPerBlockFast = .9, kFastStep_s = 15;
constexpr double kNoiseFloor = .0005;  // of the limit
constexpr double kSharpness = 6;       // of the weights in the probability of being right
constexpr double kNearBest = .75;      // this close to the best, the longest window tells the age
constexpr double kMaxAges = 4, kMaxTold_s = 7 * 86400.0;

double weight_of(double probability) { return std::pow(probability, kSharpness); }

// Sorted by p50; where half of the weight lies below.
double weighted_median(const Candidates& all, std::span<const double> weights) {
  std::array<int, kMaxCandidates> order;
  std::iota(order.begin(), order.begin() + all.n, 0);
  std::sort(order.begin(), order.begin() + all.n,
            [&](int a, int b) { return all.all[size_t(a)].p50_s < all.all[size_t(b)].p50_s; });
  double total = std::accumulate(weights.begin(), weights.end(), 0.), sum = 0;
  for (int i = 0; i < all.n; ++i) {
    sum += weights[size_t(order[size_t(i)])];
    if (sum >= total / 2) return all.all[size_t(order[size_t(i)])].p50_s;
  }
  return all.all[size_t(order[size_t(all.n - 1)])].p50_s;
}

double dot(const WidthTerms& a, const WidthTerms& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.);
}

model::Eta interval(const Candidate& top, double reliability, double p50_s, double limit_bytes) {
  WidthTerms terms = width_terms(top, reliability, p50_s, limit_bytes);
  auto spread = [&](const WidthTerms& weights) {
    return std::exp(std::clamp(std::exp(std::min(dot(terms, weights), 2.)), .02, 5.));
  };
  double p10 = std::min({p50_s / spread(kWidth.lower), top.p10_s, top.p10_all_s});
  double p90 = p50_s * spread(kWidth.upper);
  return {std::max(0., p10 - top.width_s / 4), p50_s, p90 + top.width_s / 4};
}

}  // namespace

WidthTerms width_terms(const Candidate& top, double reliability, double p50_s, double limit_bytes) {
  double headroom = std::max(limit_bytes - top.level_bytes, 1e-3 * limit_bytes);
  double p50 = std::max(p50_s, .01 * top.width_s);
  auto ln = [](double x) { return std::log(std::max(x, 1e-4)); };
  double early = std::max(0., ln(p50 / std::max(top.p10_all_s, 1e-3 * p50)));
  return {1,
          std::clamp(ln(1 - reliability), -4., 0.),
          std::clamp(ln(top.width_s / p50), -6., 4.),
          ln(early + .05),
          std::clamp(ln(top.swing_bytes / headroom), -6., 1.),
          std::clamp(ln(top.scatter_bytes / headroom), -8., 1.)};
}

std::optional<Forecast> combine(const Candidates& candidates, double limit_bytes) {
  if (candidates.n == 0) return std::nullopt;
  auto n = size_t(candidates.n);
  std::array<double, kMaxCandidates> believed, weights;
  for (size_t i = 0; i < n; ++i) {
    believed[i] = reliability(candidates.all[i]);
    weights[i] = weight_of(believed[i]);
  }
  double total = std::accumulate(weights.begin(), weights.begin() + n, 1e-300);
  double best = *std::max_element(believed.begin(), believed.begin() + n);
  Forecast out;
  for (size_t i = 0; i < n; ++i) {
    const Candidate& one = candidates.all[i];
    out.reliability += weights[i] * believed[i] / total;
    if (believed[i] == best) out.top = one;
    if (believed[i] >= kNearBest * best) out.age_s = std::max(out.age_s, one.age_s);
  }
  double p50 = weighted_median(candidates, std::span(weights.data(), n));
  out.eta = interval(out.top, out.reliability, p50, limit_bytes);
  out.gated =
      out.reliability >= kMinReliability && p50 <= kMaxAges * out.top.age_s && p50 <= kMaxTold_s;
  return out;
}

void Forecaster::add_level(const Pyramid& pyramid, int k, double limit_bytes, Candidates& out) {
  LevelSeries series(pyramid, k);
  if (series.size() < kMinLevelBlocks) return;
  ChangePoints& points = change_points_[size_t(k)];
  if (points.count != pyramid.level(k).count()) {
    points = find_change_points(series, kNoiseFloor * limit_bytes);
    points.count = pyramid.level(k).count();
  }
  Spikes spikes = spikes_of(series);
  int closed = series.closed();
  auto add = [&](int from, double regret) {
    auto one = make_candidate(series, spikes, from, regret, limit_bytes);
    if (one) one->level = k;
    out.add(one);
  };
  bool segment_is_window = points.segment_blocks >= closed;
  for (size_t w = 0; w < kWindowBlocks.size(); ++w) {
    segment_is_window |= points.segment_blocks == kWindowBlocks[w];
    add(std::max(0, closed - kWindowBlocks[w]), points.regret[w]);
    if (kWindowBlocks[w] >= closed) break;
  }
  if (!segment_is_window) add(closed - points.segment_blocks, 0);
}

void Forecaster::candidates(const Pyramid& pyramid, double limit_bytes, Candidates& out) {
  bool fast = pyramid.step_s() < kFastStep_s;
  for (int k = pyramid.first_level(fast ? kReadingsPerBlockFast : kReadingsPerBlock); k < kLevels;
       ++k)
    add_level(pyramid, k, limit_bytes, out);
}

std::optional<Forecast> Forecaster::forecast(const Pyramid& pyramid, double limit_bytes) {
  if (limit_bytes <= 0) return std::nullopt;
  Candidates all;
  candidates(pyramid, limit_bytes, all);
  auto out = combine(all, limit_bytes);
  if (out) out->at_s = pyramid.age_s();
  return out;
}

}  // namespace oomen::engine
