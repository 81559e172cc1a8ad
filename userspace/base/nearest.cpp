#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace oomen::base {
namespace {

// Optimal string alignment: insert, delete, replace, swap neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known) {
  // Words from outside have no bound; none of ours is longer.
  static constexpr size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string_view> best;
  size_t best_distance = 0;
  for (std::string_view candidate : known) {
    size_t distance = edit_distance(word, candidate);
    if (distance > std::max<size_t>(1, std::max(word.size(), candidate.size()) / 3)) continue;
    if (!best || distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

}  // namespace oomen::base
