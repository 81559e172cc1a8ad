#include "app/cli.h"
#include "app/commands.h"

namespace {
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;
}  // namespace

int main(int argc, char** argv) {
  using namespace oomen::app;
  return std::visit(Overloaded{
                        [](const Exit& exit) { return exit.code; },
                        [](const AgentCommand& command) { return agent(command.options); },
                        [](const RunOptions& options) { return run(options); },
                        [](const ReplayOptions& options) { return replay(options); },
                        [](const DoctorOptions& options) { return doctor(options); },
                    },
                    parse_command_line(argc, argv));
}
