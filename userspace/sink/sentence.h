// The same facts in plain English, for terminals, logs and the `sentence` fields. Pure.
#pragma once
#include <string>

#include "model/autopsy.h"
#include "model/snapshot.h"

namespace oomen::sink {

std::string display_name(
    const model::Container& container);  // "ns/pod/container", or the cgroup's name
std::string reason_sentence(const model::Reason& reason);
std::string verdict_sentence(const model::Assessment& assessment,
                             const std::optional<model::Ceiling>& ceiling);
std::string autopsy_sentence(const model::Autopsy& autopsy);

}  // namespace oomen::sink
