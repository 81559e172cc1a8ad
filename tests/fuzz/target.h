// One fuzz target: FUZZ(name) { ... uses `text` ... }. Under libFuzzer it is the entry point; in
// the unit tests it is a test that runs the seeds of tests/fuzz/seeds/NAME.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string_view>

// What must hold whatever the text says.
#define FUZZ_EXPECT(condition)                                                            \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

#ifdef OOMEN_FUZZING
#define FUZZ(name)                                                              \
  static void name##_target(std::string_view text);                             \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {     \
    name##_target(std::string_view(reinterpret_cast<const char*>(data), size)); \
    return 0;                                                                   \
  }                                                                             \
  static void name##_target(std::string_view text)
#else
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace oomen::fuzz {
inline void run_seeds(const std::string& name, void (*target)(std::string_view)) {
  size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/seeds/" + name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    target(text);
    ++seeds;
  }
  EXPECT_GT(seeds, 0u) << "no seeds for " << name;
}
}  // namespace oomen::fuzz

#define FUZZ(name)                                                        \
  static void name##_target(std::string_view text);                       \
  TEST(FuzzSeeds, name) { oomen::fuzz::run_seeds(#name, name##_target); } \
  static void name##_target(std::string_view text)
#endif
