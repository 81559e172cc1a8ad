// Reading the kernel's small text files without allocating. Pure.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace oomen::base {

// The text up to `separator`, cut off the front of `rest` together with it; all of it when there is
// none.
inline std::string_view take_until(std::string_view& rest, char separator) {
  size_t at = rest.find(separator);
  std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return head;
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

// All of `text` is one decimal number, else nothing.
template <class T = uint64_t>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace oomen::base
