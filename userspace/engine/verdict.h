// From what the tests found to a word and its reasons.
#pragma once
#include <optional>
#include <vector>

#include "engine/detector.h"
#include "engine/forecast.h"
#include "model/assessment.h"

namespace oomen::engine {

struct Findings {
  model::Severity severity = model::Severity::kNone;
  std::optional<double> limit_bytes;
  Window window;  // the one that fired, else the one that came nearest
  std::optional<Forecast> forecast;
};

// The window over all widths that came nearest to passing.
Window nearest_window(const Pyramid& pyramid, std::optional<double> limit_bytes,
                      double sensitivity);

model::Verdict verdict_of(const Pyramid& pyramid, const Findings& findings);
std::vector<model::Reason> reasons_of(const Pyramid& pyramid, const Findings& findings);

}  // namespace oomen::engine
