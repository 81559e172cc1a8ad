// What each path answers, without a socket. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "model/snapshot.h"

namespace oomen::sink {

struct HttpAnswer {
  int status = 200;
  std::string content_type;
  std::string body;
};

// `snapshot` is null before the first one; `boottime_ns` is now, for the age of the loop's
// heartbeat. GET and HEAD have the same answer; who sends it leaves out the body of a HEAD.
HttpAnswer answer_request(std::string_view method, std::string_view path,
                          const model::Snapshot* snapshot, uint64_t boottime_ns);
// {"error": …} with this status.
HttpAnswer error_answer(int status, const std::string& message);

}  // namespace oomen::sink
