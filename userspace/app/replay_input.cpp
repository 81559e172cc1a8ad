#include "app/replay_input.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace oomen::app {
namespace {

constexpr std::array<std::string_view, 3> kColumnNames = {"time_s", "bytes", "limit_bytes"};
constexpr size_t kShownBytes = 40;

struct Cells {
  std::array<std::string_view, 3> at;
  int n = 0;  // one more than fit when there are too many
};

std::string_view clean(std::string_view text) {
  text = base::trim(text);
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return base::trim(text);
}

Cells split(std::string_view text) {
  Cells cells;
  while (true) {
    size_t comma = text.find(',');
    if (cells.n == 3) {
      ++cells.n;
      return cells;
    }
    cells.at[size_t(cells.n++)] = clean(text.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    text.remove_prefix(comma + 1);
  }
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_header(std::string_view text) {
  char c = text.front();
  bool numeric = (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
  return !numeric && !number(split(text).at[0]);
}

bool is_missing(std::string_view cell) {
  auto value = number(cell);
  return cell.empty() || (value && std::isnan(*value));
}

}  // namespace

base::Error ReplayInput::bad(std::string_view expected, std::string_view got) const {
  std::string shown(got.substr(0, kShownBytes));
  for (char& c : shown)
    if (c < ' ' || c == 127) c = '?';
  if (got.size() > kShownBytes) shown += "...";
  return base::input_error(name_ + ":" + std::to_string(line_) + ": expected " +
                           std::string(expected) + ", got '" + shown + "'");
}

base::Result<void> ReplayInput::header(std::string_view text) {
  Cells cells = split(text);
  if (cells.n > 3) return bad("the columns time_s,bytes[,limit_bytes]", text);
  int found[kColumns] = {-1, -1, -1};
  for (int i = 0; i < cells.n; ++i) {
    int column = 0;
    while (column < kColumns && cells.at[size_t(i)] != kColumnNames[size_t(column)]) ++column;
    if (column == kColumns || found[column] >= 0)
      return bad("the columns time_s,bytes[,limit_bytes], each once", cells.at[size_t(i)]);
    found[column] = i;
  }
  if (found[kTime] < 0 || found[kBytes] < 0) return bad("both columns time_s and bytes", text);
  std::copy(found, found + kColumns, column_of_);
  columns_ = cells.n;
  return {};
}

base::Result<void> ReplayInput::check_time(const ReplaySample& sample, std::string_view text) {
  if (!std::isfinite(sample.time_s)) return bad("a finite time in seconds", text);
  if (last_time_s_ && sample.time_s <= *last_time_s_)
    return bad("a time later than that of the line before", text);
  last_time_s_ = sample.time_s;
  return {};
}

base::Result<std::optional<ReplaySample>> ReplayInput::sample(std::string_view text) {
  Cells cells = split(text);
  if (cells.n < 2 || cells.n > 3 || (columns_ && cells.n != columns_))
    return bad(columns_ == 2 ? "time_s,bytes" : "time_s,bytes[,limit_bytes]", text);
  auto cell = [&](Column column) {
    int at = column_of_[column];
    return at < 0 || at >= cells.n ? std::string_view{} : cells.at[size_t(at)];
  };
  ReplaySample out;
  auto time = number(cell(kTime));
  if (!time) return bad("a time in seconds", cell(kTime));
  out.time_s = *time;
  if (auto checked = check_time(out, cell(kTime)); !checked) return checked.error();
  if (is_missing(cell(kBytes))) return std::optional<ReplaySample>{};
  auto bytes = number(cell(kBytes));
  if (!bytes || !std::isfinite(*bytes) || *bytes < 0) return bad("a size in bytes", cell(kBytes));
  out.bytes = *bytes;
  if (is_missing(cell(kLimit)) || cell(kLimit) == "max") return std::optional(out);
  out.limit_bytes = number(cell(kLimit));
  if (!out.limit_bytes || !std::isfinite(*out.limit_bytes) || *out.limit_bytes <= 0)
    return bad("a limit in bytes above 0, or max", cell(kLimit));
  return std::optional(out);
}

base::Result<std::optional<ReplaySample>> ReplayInput::line(std::string_view text) {
  ++line_;
  if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = clean(text);
  if (text.empty() || text.front() == '#') return std::optional<ReplaySample>{};
  if (!begun_) {
    begun_ = true;
    if (is_header(text)) {
      if (auto read = header(text); !read) return read.error();
      return std::optional<ReplaySample>{};
    }
  }
  auto read = sample(text);
  if (read && *read) ++samples_;
  return read;
}

base::Result<void> ReplayInput::end() const {
  if (samples_ > 0) return {};
  return base::input_error(name_ + ":" + std::to_string(line_) +
                           ": expected at least one line time_s,bytes[,limit_bytes]");
}

}  // namespace oomen::app
