#include "base/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace oomen::base {
namespace {

constexpr std::array<std::string_view, 4> kKnown{"listen", "log", "state_dir", "sensitivity"};

TEST(Nearest, finds_what_was_meant) {
  EXPECT_EQ(nearest("lisen", kKnown), "listen");
  EXPECT_EQ(nearest("listne", kKnown), "listen");
  EXPECT_EQ(nearest("Listen", kKnown), "listen");
  EXPECT_EQ(nearest("logs", kKnown), "log");
  EXPECT_EQ(nearest("statedir", kKnown), "state_dir");
  EXPECT_EQ(nearest("sensitivty", kKnown), "sensitivity");
}

TEST(Nearest, says_nothing_rather_than_a_wild_guess) {
  EXPECT_EQ(nearest("", kKnown), std::nullopt);
  EXPECT_EQ(nearest("replicas", kKnown), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'l'), kKnown), std::nullopt);
  EXPECT_EQ(nearest("listen", {}), std::nullopt);
}

}  // namespace
}  // namespace oomen::base
