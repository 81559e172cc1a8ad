// fuzz-sources: source/node_facts source/cgroup_files source/meminfo base/fd
#include "source/meminfo.h"
#include "source/node_facts.h"
#include "target.h"

FUZZ(proc_files) {
  namespace source = oomen::source;
  source::parse_kernel_version(text);
  if (auto word = source::parse_lockdown(text)) FUZZ_EXPECT(!word->empty());
  source::parse_process_rights(text);
  source::parse_locked_memory_limit(text);
  source::parse_hidepid(text);
  source::parse_swap_bytes(text);
  source::parse_meminfo(text);
}
