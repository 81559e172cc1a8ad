// Text from outside (cgroup names, comms, log lines) made fit for terminals, labels and logs. Pure.
#pragma once
#include <string>
#include <string_view>

namespace oomen::sink {

// Valid UTF-8 without control characters: what is neither becomes U+FFFD. A name can't move the
// cursor of who reads it, nor end a line of the exposition.
std::string printable(std::string_view text);

}  // namespace oomen::sink
