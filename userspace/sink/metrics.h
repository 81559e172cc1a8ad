// The Prometheus text exposition of a snapshot. Series live and die with their container: nothing
// is remembered here.
#pragma once
#include <string>

#include "model/snapshot.h"

namespace oomen::sink {

// Text format 0.0.4.
std::string render_metrics(const model::Snapshot& snapshot);
// docs/metrics.md, made from the same table as the help texts.
std::string metrics_documentation();

}  // namespace oomen::sink
