// An owned file descriptor, and the few reads the agent does with one.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oomen::base {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd();
  Fd(Fd&& other) noexcept;
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

// openat(2) with O_CLOEXEC added. `dir` may be AT_FDCWD.
Result<Fd> open_at(int dir, const char* path, int flags);
// One pread(2) at offset 0 into `buffer`; files of the kernel (cgroupfs, procfs) give a fresh
// reading each time.
Result<std::string_view> read_at_start(int fd, char* buffer, size_t size);
// A whole small file, at most `limit` bytes; more is an error, not a truncation.
Result<std::string> read_file(const std::string& path, size_t limit = 1 << 20);
// Written aside, synced, renamed: the file is the old one or the new one, never half of it.
Result<void> write_file_atomically(const std::string& path, std::string_view text);

}  // namespace oomen::base
