#include "sink/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace oomen::sink {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Lead {
  size_t length;      // bytes of the whole sequence, 0 when `byte` begins none
  uint32_t bits;      // what the lead byte contributes
  uint32_t smallest;  // code points below are over-long
};

Lead read_lead(uint8_t byte) {
  if (byte < 0x80) return {1, byte, 0};
  if ((byte & 0xE0) == 0xC0) return {2, byte & 0x1Fu, 0x80};
  if ((byte & 0xF0) == 0xE0) return {3, byte & 0x0Fu, 0x800};
  if ((byte & 0xF8) == 0xF0) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

bool is_shown(uint32_t code, uint32_t smallest) {
  bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  // Line and paragraph separators, and what turns the direction of the text around it.
  bool layout = (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return code >= smallest && code <= 0x10FFFF && !surrogate && !control && !layout;
}

// Length of the well-formed, harmless character at the front, 0 when there is none.
size_t good_length(std::string_view text) {
  Lead lead = read_lead(static_cast<uint8_t>(text[0]));
  if (lead.length == 0 || lead.length > text.size()) return 0;
  uint32_t code = lead.bits;
  for (size_t i = 1; i < lead.length; ++i) {
    uint8_t next = static_cast<uint8_t>(text[i]);
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3Fu);
  }
  return is_shown(code, lead.smallest) ? lead.length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t length = good_length(text);
    out += length ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace oomen::sink
