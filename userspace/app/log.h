// Structured logs: a message and fields, as "key=value" or one JSON object a line, to standard
// error. Only app/ logs.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace oomen::app {

struct Field {
  std::string_view key;
  std::string value;
};

// "debug" | "info" | "warning" | "error". Once, before the first line.
void start_log(const std::string& level, bool json);

void log_debug(std::string_view message, std::initializer_list<Field> fields = {});
void log_info(std::string_view message, std::initializer_list<Field> fields = {});
void log_warning(std::string_view message, std::initializer_list<Field> fields = {});
void log_error(std::string_view message, std::initializer_list<Field> fields = {});

}  // namespace oomen::app
