#include "engine/reliability.h"

namespace oomen::engine {

const ReliabilityWeights kReliability = {
    -2.5,
    {{{-3, -2, -1},
      {1, 2, 3},
      {2, 2.5, 3},
      {.5, 1, 1.5},
      {.5, 1, 1.5},
      {.5, 1, 1.5},
      {1, 3, 6},
      {0, .5, 1},
      {-.5, 0, .5},
      {-3, -2, -1}}},
    {{{-1.2, 0, 0, 0}, {}, {.3, 0, 0, 0}, {2, 0, -4, 0}, {}, {}, {}, {.5, 0, 0, -.5}, {}, {}}}};

const WidthWeights kWidth = {{-.766, 1.061, -.331, .147, .244, -.270},
                             {1.422, 1.010, .280, 0, -.168, .083}};

}  // namespace oomen::engine
