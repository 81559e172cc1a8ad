#include "model/sample.h"

namespace oomen::model {

uint64_t unreclaimable_bytes(uint64_t usage_bytes, const MemoryClasses& classes) {
  uint64_t reclaimable = classes.active_file.value_or(0) + classes.inactive_file.value_or(0) +
                         classes.slab_reclaimable.value_or(0);
  return usage_bytes > reclaimable ? usage_bytes - reclaimable : 0;
}

}  // namespace oomen::model
