// Which memory classes a growth is made of. Pure.
#pragma once
#include <string_view>
#include <vector>

#include "model/sample.h"

namespace oomen::engine {

// Classes that grew by a tenth or more of all that grew, largest first; a class absent on either
// side is not judged. Names are those of the fields of MemoryClasses.
std::vector<std::string_view> growing_classes(const model::MemoryClasses& then,
                                              const model::MemoryClasses& now);

}  // namespace oomen::engine
