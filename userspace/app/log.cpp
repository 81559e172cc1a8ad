#include "app/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace oomen::app {
namespace {

bool as_json = false;

// Outside text (names of cgroups and processes) ends up in lines: control characters must not forge
// any.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c == 0x7f) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + "\"";
}

bool is_plain(std::string_view text) {
  if (text.empty()) return false;
  for (unsigned char c : text)
    if (c <= ' ' || c == '"' || c == '\\' || c == '=' || c == 0x7f) return false;
  return true;
}

std::string line(std::string_view message, std::initializer_list<Field> fields) {
  std::string out = as_json ? "\"msg\":" + quoted(message) : std::string(message);
  for (const Field& field : fields) {
    if (as_json) {
      out += "," + quoted(field.key) + ":" + quoted(field.value);
    } else {
      out += " " + std::string(field.key) + "=" +
             (is_plain(field.value) ? field.value : quoted(field.value));
    }
  }
  return out;
}

void write(spdlog::level::level_enum level, std::string_view message,
           std::initializer_list<Field> fields) {
  if (spdlog::should_log(level)) spdlog::log(level, "{}", line(message, fields));
}

}  // namespace

void start_log(const std::string& level, bool json) {
  as_json = json;
  auto logger = spdlog::stderr_color_mt("oomen");
  logger->set_pattern(json ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                           : "%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v",
                      spdlog::pattern_time_type::utc);
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_debug(std::string_view message, std::initializer_list<Field> fields) {
  write(spdlog::level::debug, message, fields);
}
void log_info(std::string_view message, std::initializer_list<Field> fields) {
  write(spdlog::level::info, message, fields);
}
void log_warning(std::string_view message, std::initializer_list<Field> fields) {
  write(spdlog::level::warn, message, fields);
}
void log_error(std::string_view message, std::initializer_list<Field> fields) {
  write(spdlog::level::err, message, fields);
}

}  // namespace oomen::app
