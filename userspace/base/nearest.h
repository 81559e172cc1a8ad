// "did you mean": the known word that a misspelt one is nearest to. Pure.
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace oomen::base {

// By edit distance, two neighbours swapped counting as one edit. Nothing when even the nearest is
// more than a third of the word away: a wild guess helps nobody.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known);

}  // namespace oomen::base
