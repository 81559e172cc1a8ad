// What `oomen run` tells on the terminal. Pure.
#pragma once
#include <string>

#include "model/snapshot.h"

namespace oomen::app {

// "  34 s  usage 42.1 MiB  trough 33.8 MiB  +1.0 MiB/s  kill in 51 s (38 s to 75 s)  leaking"
std::string progress_line(const model::ContainerView& view, double age_s);
std::string alert_line(const model::ContainerView& view, double age_s);
// The whole report, several lines, the sentence first.
std::string autopsy_report(const model::Autopsy& autopsy);

}  // namespace oomen::app
