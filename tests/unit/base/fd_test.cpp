#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace oomen::base {
namespace {

class FdTest : public testing::Test {
 protected:
  FdTest() {
    char name[] = "/tmp/oomen-fd-XXXXXX";
    folder_ = mkdtemp(name);
    file_ = folder_ + "/file";
  }
  ~FdTest() override {
    unlink(file_.c_str());
    rmdir(folder_.c_str());
  }
  bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

  std::string folder_, file_;
};

TEST_F(FdTest, closes_what_it_owns_once) {
  int raw;
  {
    auto fd = open_at(AT_FDCWD, "/dev/null", O_RDONLY);
    ASSERT_TRUE(fd);
    raw = fd->get();
    EXPECT_TRUE(fcntl(raw, F_GETFD) & FD_CLOEXEC);
    Fd moved = std::move(*fd);
    EXPECT_FALSE(fd->valid());
    EXPECT_EQ(moved.get(), raw);
    moved = std::move(moved);  // to itself: nothing happens
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST_F(FdTest, assignment_closes_the_old_one) {
  auto first = open_at(AT_FDCWD, "/dev/null", O_RDONLY);
  auto second = open_at(AT_FDCWD, "/dev/null", O_RDONLY);
  int old = first->get();
  *first = std::move(*second);
  EXPECT_FALSE(is_open(old));
  int given_up = first->release();
  EXPECT_FALSE(first->valid());
  EXPECT_TRUE(is_open(given_up));
  close(given_up);
}

TEST_F(FdTest, errors_name_the_path_and_keep_errno) {
  auto fd = open_at(AT_FDCWD, "/nonexistent/x", O_RDONLY);
  ASSERT_FALSE(fd);
  EXPECT_EQ(fd.error().code, ENOENT);
  EXPECT_EQ(fd.error().message, "opening /nonexistent/x: No such file or directory");
  auto text = read_file(folder_);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, EISDIR);
}

TEST_F(FdTest, reads_from_the_start_each_time) {
  ASSERT_TRUE(write_file_atomically(file_, "42\n"));
  auto fd = open_at(AT_FDCWD, file_.c_str(), O_RDWR);
  ASSERT_TRUE(fd);
  char buffer[16];
  EXPECT_EQ(*read_at_start(fd->get(), buffer, sizeof buffer), "42\n");
  ASSERT_EQ(pwrite(fd->get(), "43", 2, 0), 2);
  EXPECT_EQ(*read_at_start(fd->get(), buffer, sizeof buffer), "43\n");
  auto bad = read_at_start(-1, buffer, sizeof buffer);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, EBADF);
}

TEST_F(FdTest, a_file_above_the_limit_is_an_error_not_half_a_text) {
  ASSERT_TRUE(write_file_atomically(file_, std::string(100, 'x')));
  EXPECT_EQ(read_file(file_, 100)->size(), 100u);
  auto text = read_file(file_, 99);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, EFBIG);
}

TEST_F(FdTest, atomic_write_replaces_and_leaves_nothing_beside) {
  ASSERT_TRUE(write_file_atomically(file_, "old, and longer"));
  ASSERT_TRUE(write_file_atomically(file_, "new"));
  EXPECT_EQ(*read_file(file_), "new");
  EXPECT_NE(access((file_ + ".new").c_str(), F_OK), 0);
}

TEST_F(FdTest, a_failed_atomic_write_leaves_nothing_beside) {
  ASSERT_EQ(mkdir(file_.c_str(), 0755), 0);  // rename over a folder is refused
  auto done = write_file_atomically(file_, "text");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, EISDIR);
  EXPECT_NE(access((file_ + ".new").c_str(), F_OK), 0);
  ASSERT_EQ(rmdir(file_.c_str()), 0);
}

}  // namespace
}  // namespace oomen::base
