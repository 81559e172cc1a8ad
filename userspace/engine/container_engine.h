// The engine over one series: constant memory, constant time per reading, no clock but the
// caller's. The same code runs live and in `oomen replay`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "model/assessment.h"

namespace oomen::engine {

struct EngineSettings {
  double sensitivity = 1;    // scales the growth asked for before an alert; 0.8 earlier, 1.2 later
  double grid_offset_s = 0;  // shifts the block grid, which is else aligned to the first reading
};

class ContainerEngine {
 public:
  explicit ContainerEngine(EngineSettings settings = {});
  ~ContainerEngine();
  ContainerEngine(ContainerEngine&&) noexcept;
  ContainerEngine& operator=(ContainerEngine&&) noexcept;

  // One reading of unreclaimable memory at `time_s` on the caller's clock, seconds. A time that is
  // not later than the last one is ignored. `limit_bytes` is the nearest ceiling at that time,
  // absent when there is none; it may change.
  void add(double time_s, double bytes, std::optional<double> limit_bytes);

  // The verdict, alert and forecast as of the last reading.
  model::Assessment assess() const;

  // Changes whenever the standing alert does (raised, graver, milder, over): a cheap sign that a
  // new assess() is worth its price.
  uint32_t revision() const;

  // Memory of one series, all of it.
  static size_t state_bytes();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace oomen::engine
