// Where the loop puts the newest picture of the node and HTTP threads take it. Any thread.
#pragma once
#include <memory>
#include <mutex>

#include "model/snapshot.h"

namespace oomen::sink {

class Publication {
 public:
  void publish(std::shared_ptr<const model::Snapshot> snapshot) {
    std::lock_guard lock(mutex_);
    snapshot_ = std::move(snapshot);
  }
  // Null before the first one.
  std::shared_ptr<const model::Snapshot> current() const {
    std::lock_guard lock(mutex_);
    return snapshot_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const model::Snapshot> snapshot_;
};

}  // namespace oomen::sink
