// JSON texts of the API and of `--json`, field for field as in docs/api.md. Times RFC 3339 in UTC,
// unknown is null.
#pragma once
#include <string>

#include "model/autopsy.h"
#include "model/snapshot.h"

namespace oomen::sink {

std::string containers_json(const model::Snapshot& snapshot);
std::string autopsies_json(const model::Snapshot& snapshot);  // each without its history
std::string status_json(const model::Snapshot& snapshot);
// One death with all there is to it: the last minutes and the processes too.
std::string autopsy_json(const model::Autopsy& autopsy, const std::string& node);
std::string error_json(const std::string& message);  // {"error": message}
// One line of `oomen replay --json`: event is firing | resolved | forecast.
std::string replay_line(double time_s, std::string_view event, const model::Assessment& assessment);

}  // namespace oomen::sink
