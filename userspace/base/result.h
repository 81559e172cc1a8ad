// Result<T>: a value or an error with a chain of context. Shaped like std::expected (C++23), in
// C++20.
#pragma once
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace oomen::base {

// What went wrong, outermost context first: "opening /x: No such file or directory".
struct Error {
  std::string message;
  int code = 0;  // errno where the kernel said no, 0 otherwise
  // Bad input is the user's to mend (exit 2); everything else is the machine's.
  bool bad_input = false;

  Error wrap(const std::string& context) && {
    message = context + ": " + message;
    return std::move(*this);
  }
};

inline Error errno_error(const std::string& context, int code = errno) {
  return Error{context + ": " + std::strerror(code), code};
}
inline Error input_error(std::string message) { return Error{std::move(message), 0, true}; }

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace oomen::base
