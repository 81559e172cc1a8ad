#include "engine/pyramid.h"

#include <algorithm>

namespace oomen::engine {

float Level::filtered_low(int age) const {
  float x = at(age).low;
  bool has_newer = age > 0, has_older = age + 1 < size();
  if (!has_newer) return x;
  float newer = at(age - 1).low;
  if (!has_older) return std::min(x, newer);
  float older = at(age + 1).low;
  return std::max(std::min(x, newer), std::min(std::max(x, newer), older));
}

void Level::remember(float low, uint32_t epoch) {
  if (epoch != record_epoch_) {
    record_before_ =
        epoch == record_epoch_ + 1 ? record_now_ : -std::numeric_limits<float>::infinity();
    record_now_ = -std::numeric_limits<float>::infinity();
    record_epoch_ = epoch;
  }
  record_now_ = std::max(record_now_, low);
}

void Level::push(const Block& block, uint32_t epoch) {
  ring_[count_ % kRing] = block;
  ++count_;
  if (size() > kRecent) remember(filtered_low(kRecent), epoch);
}

Pyramid::Pyramid(double grid_offset_s) : offset_s_(0) {
  double widest = block_width_s(kLevels - 1);
  if (std::isfinite(grid_offset_s))
    offset_s_ = grid_offset_s - widest * std::floor(grid_offset_s / widest);
}

void Pyramid::note_step(double step_s) {
  if (step_s_ == 0 || step_s < step_s_)
    step_s_ = step_s;
  else  // a gap is not a slower pace; a slower pace is believed after some tens of readings
    step_s_ += .05 * (std::min(step_s, 2 * step_s_) - step_s_);
}

uint32_t Pyramid::add(double time_s, float bytes) {
  if (!begun_) {
    begun_ = true;
    first_time_s_ = time_s;
    now_s_ = origin_s_ = offset_s_;
  } else {
    double now = time_s - first_time_s_ + offset_s_;
    note_step(now - now_s_);
    now_s_ = now;
  }
  auto index = uint32_t(now_s_ / kBaseWidth_s);
  uint32_t closed = 0;
  if (!open_[0].empty() && open_[0].index != index) closed = cascade(index);
  open_[0].index = index;
  open_[0].merge({index, bytes, bytes});
  return closed;
}

// Closes what ended before base block `index`, from the narrowest level up. A wider open block
// holds its closed children only; open() adds those that are still filling.
uint32_t Pyramid::cascade(uint32_t index) {
  uint32_t closed = 0;
  auto epoch = uint32_t(now_s_ / kRecordEpoch_s);
  for (int k = 0; k < kLevels && open_[k].index != index >> k; ++k) {
    Block done = open_[k];
    levels_[size_t(k)].push(done, epoch);
    open_[k] = Block{};
    closed |= 1u << k;
    if (k + 1 < kLevels) {
      done.index >>= 1;
      open_[k + 1].index = done.index;
      open_[k + 1].merge(done);
    }
  }
  return closed;
}

Block Pyramid::open(int k) const {
  Block all = open_[0];
  for (int j = 1; j <= k; ++j)
    if (!open_[j].empty()) all.merge(open_[j]);
  all.index = open_[0].index >> k;
  return all;
}

double Pyramid::open_share(int k) const {
  double width = block_width_s(k);
  return now_s_ / width - std::floor(now_s_ / width);
}

int Pyramid::first_level(double readings) const {
  int k = 0;
  while (k + 1 < kLevels && block_width_s(k) < readings * step_s_) ++k;
  return k;
}

}  // namespace oomen::engine
