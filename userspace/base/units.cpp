#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace oomen::base {
namespace {
struct Number {
  double value;
  std::string_view rest;
};

// Text from outside in a message: one line, bounded.
std::string quoted(std::string_view text) {
  static constexpr size_t kShown = 40;
  std::string out = "'";
  for (char c : text.substr(0, kShown)) out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return out + (text.size() > kShown ? "...'" : "'");
}

Result<Number> leading_number(std::string_view text) {
  double value = 0;
  auto [end, bad] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (bad == std::errc::result_out_of_range)
    return input_error(quoted(text) + " begins with a number that is too large or too small");
  if (bad != std::errc() || !std::isfinite(value) || std::signbit(value))
    return input_error(quoted(text) + " does not begin with a number of 0 or more");
  return Number{value, text.substr(static_cast<size_t>(end - text.data()))};
}

std::string print(const char* format, double value, const char* unit) {
  char out[64];
  snprintf(out, sizeof out, format, value, unit);
  return out;
}
}  // namespace

Result<uint64_t> parse_bytes(std::string_view text) {
  auto number = leading_number(text);
  if (!number) return std::move(number).error();
  struct Suffix {
    std::string_view name;
    double factor;
  };
  static constexpr double kKi = 1024;
  static const std::array<Suffix, 14> kSuffixes{{{"", 1},
                                                 {"k", 1e3},
                                                 {"K", 1e3},
                                                 {"M", 1e6},
                                                 {"G", 1e9},
                                                 {"T", 1e12},
                                                 {"P", 1e15},
                                                 {"E", 1e18},
                                                 {"Ki", kKi},
                                                 {"Mi", kKi * kKi},
                                                 {"Gi", kKi * kKi * kKi},
                                                 {"Ti", kKi * kKi * kKi * kKi},
                                                 {"Pi", kKi * kKi * kKi * kKi * kKi},
                                                 {"Ei", kKi * kKi * kKi * kKi * kKi * kKi}}};
  std::string_view unit = number->rest;
  if (!unit.empty() && unit.back() == 'B') unit.remove_suffix(1);
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.name != unit) continue;
    double bytes = std::round(number->value * suffix.factor);
    if (bytes >= 0x1p63) return input_error("size " + quoted(text) + " is too large");
    return static_cast<uint64_t>(bytes);
  }
  return input_error(
      "size " + quoted(text) + " has unknown unit " + quoted(number->rest) +
      "; expected a number with one of Ki Mi Gi Ti Pi Ei k M G T P E, such as 512Mi");
}

Result<double> parse_duration_s(std::string_view text) {
  struct Suffix {
    std::string_view name;
    double factor;
  };
  static const std::array<Suffix, 6> kSuffixes{
      {{"ms", .001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}}};
  std::string_view whole = text;
  double total = 0;
  if (text.empty()) return input_error("a duration is empty; expected one such as 90s, 15m or 72h");
  while (!text.empty()) {
    auto number = leading_number(text);
    if (!number) return std::move(number).error();
    std::string_view rest = number->rest;
    if (rest.empty()) {
      if (text.size() != whole.size())
        return input_error("duration " + quoted(whole) + " ends in a number without a unit");
      return number->value;
    }
    size_t letters = 0;
    while (letters < rest.size() && rest[letters] >= 'a' && rest[letters] <= 'z') ++letters;
    const Suffix* found = nullptr;
    for (const Suffix& suffix : kSuffixes)
      if (suffix.name == rest.substr(0, letters)) found = &suffix;
    if (!found)
      return input_error("duration " + quoted(whole) + " has unknown unit " + quoted(rest) +
                         "; expected ms, s, m, h, d or w, such as 15m");
    total += number->value * found->factor;
    text = rest.substr(letters);
  }
  if (!std::isfinite(total)) return input_error("duration " + quoted(whole) + " is too long");
  return total;
}

std::string format_bytes(double bytes) {
  if (std::fabs(bytes) < 1023.5) return print("%.0f %s", bytes, "B");
  static const std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  double value = bytes / 1024;
  while (std::fabs(value) >= 1023.5 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  return print(std::fabs(value) < 99.95 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
}

std::string format_duration(double seconds) {
  if (seconds < 120) return print("%.0f %s", seconds, "s");
  if (seconds < 120 * 60) return print("%.0f %s", seconds / 60, "min");
  if (seconds < 48 * 3600) return print("%.1f %s", seconds / 3600, "h");
  return print("%.1f %s", seconds / 86400, "d");
}

std::string format_rate(double bytes_per_s) {
  double rate = std::fabs(bytes_per_s);
  if (rate >= 100 * 1024) return format_bytes(bytes_per_s) + "/s";
  if (rate * 3600 >= 1024 * 1024) return format_bytes(bytes_per_s * 3600) + "/h";
  return format_bytes(bytes_per_s * 86400) + "/d";
}

}  // namespace oomen::base
