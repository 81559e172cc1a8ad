#include <cstdio>

#include "app/commands.h"
#include "app/doctor_report.h"
#include "source/kernel_events.h"

namespace oomen::app {

int doctor(const DoctorOptions& options) {
  auto found = source::find_memory_hierarchy();
  std::optional<source::MemoryHierarchy> hierarchy;
  if (found) hierarchy = *found;
  auto facts = source::read_node_facts("", hierarchy, options.agent.pod_logs_dir);
  if (!found) facts.hierarchy_trouble = found.error().message;
  facts.syslog = source::try_syslog();

  source::KernelEventsOptions wanted;
  wanted.enabled = options.agent.bpf;
  wanted.syscall_tracepoints = options.agent.syscall_tracepoints;
  wanted.only_growth_rung = options.agent.only_growth_rung;
  wanted.memory_hierarchy_id = hierarchy ? hierarchy->hierarchy_id : 0;
  // Loaded and attached for real: a version or a capability proves nothing. Gone again on return.
  source::KernelEvents events(wanted);

  DoctorReport report = make_doctor_report(facts, events.hooks(), options.agent);
  std::fputs((options.json ? doctor_json(report) : doctor_text(report)).c_str(), stdout);
  return report.exit_code;
}

}  // namespace oomen::app
