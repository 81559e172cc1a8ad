// A recorded series as text: CSV `time_s,bytes[,limit_bytes]`, with or without that header line.
#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace oomen::app {

struct ReplaySample {
  double time_s = 0;
  double bytes = 0;
  std::optional<double> limit_bytes;  // absent: the column is missing, empty or "max"
};

// Reads line by line and holds each to the rules: times rise, sizes are finite and not negative, a
// header names columns we know and both that we need. Errors name file, line and what was expected.
// A line whose bytes are empty or NaN is a gap, as recorders write it. Pure.
class ReplayInput {
 public:
  explicit ReplayInput(std::string name) : name_(std::move(name)) {}

  // Nothing for a header, a gap, an empty line or a comment (#).
  base::Result<std::optional<ReplaySample>> line(std::string_view text);
  // After the last line: an input without any sample is bad.
  base::Result<void> end() const;

 private:
  enum Column { kTime, kBytes, kLimit, kColumns };

  base::Error bad(std::string_view expected, std::string_view got) const;
  base::Result<void> header(std::string_view text);
  base::Result<std::optional<ReplaySample>> sample(std::string_view text);
  base::Result<void> check_time(const ReplaySample& sample, std::string_view text);

  std::string name_;
  size_t line_ = 0;
  size_t samples_ = 0;
  bool begun_ = false;  // a header or a first row was seen
  int column_of_[kColumns] = {0, 1, 2};
  int columns_ = 0;  // of the header; 0 without one
  std::optional<double> last_time_s_;
};

}  // namespace oomen::app
