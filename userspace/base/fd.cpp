#include "base/fd.h"

#include <fcntl.h>
#include <unistd.h>

namespace oomen::base {

Fd::~Fd() { reset(); }
Fd::Fd(Fd&& other) noexcept : fd_(other.release()) {}
Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}
int Fd::release() { return std::exchange(fd_, -1); }
void Fd::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<Fd> open_at(int dir, const char* path, int flags) {
  int fd = ::openat(dir, path, flags | O_CLOEXEC, 0644);
  if (fd < 0) return errno_error(std::string("opening ") + path);
  return Fd(fd);
}

Result<std::string_view> read_at_start(int fd, char* buffer, size_t size) {
  ssize_t got;
  do got = ::pread(fd, buffer, size, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0) return errno_error("reading");
  return std::string_view(buffer, static_cast<size_t>(got));
}

Result<std::string> read_file(const std::string& path, size_t limit) {
  auto fd = open_at(AT_FDCWD, path.c_str(), O_RDONLY);
  if (!fd) return std::move(fd).error();
  std::string text;
  char chunk[16384];
  for (;;) {
    ssize_t got = ::read(fd->get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error("reading " + path);
    if (got == 0) return text;
    text.append(chunk, static_cast<size_t>(got));
    if (text.size() > limit)
      return Error{"reading " + path + ": larger than " + std::to_string(limit) + " bytes", EFBIG};
  }
}

namespace {
Result<void> write_and_sync(const std::string& path, std::string_view text) {
  auto fd = open_at(AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  if (!fd) return std::move(fd).error();
  while (!text.empty()) {
    ssize_t put = ::write(fd->get(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno_error("writing " + path);
    text.remove_prefix(static_cast<size_t>(put));
  }
  if (::fsync(fd->get()) != 0) return errno_error("syncing " + path);
  return {};
}
}  // namespace

Result<void> write_file_atomically(const std::string& path, std::string_view text) {
  std::string aside = path + ".new";
  Result<void> done = write_and_sync(aside, text);
  if (done && ::rename(aside.c_str(), path.c_str()) != 0) done = errno_error("renaming to " + path);
  if (!done) ::unlink(aside.c_str());  // a full disk is not to be kept full by half a file
  return done;
}

}  // namespace oomen::base
