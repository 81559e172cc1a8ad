// A series at many scales at once: blocks of 1.17 s to 42.7 h, each twice as wide as the one below,
// of which the newest are kept. A block is the least and the greatest reading in it. Constant
// memory, O(1) amortised a reading. Empty blocks (gaps) are not stored: an index tells the time.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace oomen::engine {

constexpr int kLevels = 18;
constexpr int kRing = 48;    // blocks kept at each level
constexpr int kRecent = 27;  // older ones than this many are what the record remembers
constexpr double kBaseWidth_s = 75.0 / 64;
constexpr double kRecordEpoch_s = 14 * 86400.0;

constexpr double block_width_s(int level) { return kBaseWidth_s * double(1 << level); }

struct Block {
  uint32_t index = 0;  // time since the grid's origin / width
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();

  bool empty() const { return high < low; }
  void merge(const Block& other) {
    low = std::fmin(low, other.low);
    high = std::fmax(high, other.high);
  }
};

// The newest closed blocks of one width.
class Level {
 public:
  void push(const Block& block, uint32_t epoch);

  int size() const { return count_ < kRing ? int(count_) : kRing; }
  uint32_t count() const { return count_; }  // ever closed
  // age 0 is the newest
  const Block& at(int age) const { return ring_[(count_ - 1 - uint32_t(age)) % kRing]; }
  // A trough as the median of itself and its neighbours, so that one deep reading is not a trough.
  float filtered_low(int age) const;
  // The highest filtered trough older than the newest kRecent blocks, of the last 14 to 28 days;
  // -inf when there is none.
  float record() const { return std::fmax(record_now_, record_before_); }

 private:
  void remember(float low, uint32_t epoch);

  std::array<Block, kRing> ring_;
  uint32_t count_ = 0;
  float record_now_ = -std::numeric_limits<float>::infinity();
  float record_before_ = -std::numeric_limits<float>::infinity();
  uint32_t record_epoch_ = 0;
};

class Pyramid {
 public:
  explicit Pyramid(double grid_offset_s);

  // Which levels closed a block by this reading: bit k for level k. Times must increase.
  uint32_t add(double time_s, float bytes);

  const Level& level(int k) const { return levels_[size_t(k)]; }
  // The block of level k that is still filling, with everything up to the last reading.
  Block open(int k) const;
  // Of that block, the share of its width that is over.
  double open_share(int k) const;
  // From the last reading back to the middle of a block, seconds, negative.
  double center_s(int k, const Block& block) const {
    return (block.index + .5) * block_width_s(k) - now_s_;
  }
  // The usual time between readings.
  double step_s() const { return step_s_; }
  // The narrowest level whose blocks hold `readings` of them.
  int first_level(double readings) const;
  double age_s() const { return now_s_ - origin_s_; }

 private:
  uint32_t cascade(uint32_t index);
  void note_step(double step_s);

  std::array<Level, kLevels> levels_;
  std::array<Block, kLevels> open_;
  double offset_s_;
  double first_time_s_ = 0;
  double now_s_ = 0;     // since the grid's origin
  double origin_s_ = 0;  // of the first reading on that clock
  double step_s_ = 0;
  bool begun_ = false;
};

}  // namespace oomen::engine
