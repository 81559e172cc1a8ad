// The commands. Each returns the exit code: 0, 1 (failed or degraded), 2 (bad input, or not
// usable).
#pragma once
#include "app/options.h"

namespace oomen::app {

int agent(const AgentOptions& options);
int run(const RunOptions& options);
int replay(const ReplayOptions& options);
int doctor(const DoctorOptions& options);

}  // namespace oomen::app
