#include "app/config.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "base/fd.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sink/listen_address.h"

namespace oomen::app {
namespace {

constexpr size_t kLargestFile = 256 * 1024;

using Setter = bool (*)(const std::string& value, AgentOptions& options);

struct Key {
  std::string_view section;  // "" for the top of the file
  std::string_view name;
  std::string_view expected;
  Setter set;  // false: `value` is not what was expected
};

bool set_bool(const std::string& value, bool& target) {
  if (value != "true" && value != "false") return false;
  target = value == "true";
  return true;
}

bool set_one_of(const std::string& value, std::initializer_list<std::string_view> words,
                std::string& target) {
  if (std::find(words.begin(), words.end(), value) == words.end()) return false;
  target = value;
  return true;
}

bool set_not_empty(const std::string& value, std::string& target) {
  target = value;
  return !value.empty();
}

bool set_listen(const std::string& value, AgentOptions& options) {
  options.listen = value;
  return sink::parse_listen_address(value).has_value();
}

bool set_sensitivity(const std::string& value, AgentOptions& options) {
  auto number = base::parse_number<double>(value);
  options.sensitivity = number.value_or(0);
  return options.sensitivity >= 0.1 && options.sensitivity <= 10;
}

constexpr std::string_view kBool = "true or false";
constexpr std::string_view kFolder = "the path of a folder";

const std::array<Key, 11> kKeys{{
    {"", "listen", "ADDRESS:PORT, such as 127.0.0.1:9747", set_listen},
    {"", "node_name", "a name",
     [](auto& value, auto& options) { return set_not_empty(value, options.node_name); }},
    {"", "state_dir", kFolder,
     [](auto& value, auto& options) { return set_not_empty(value, options.state_dir); }},
    {"", "pod_logs_dir", kFolder,
     [](auto& value, auto& options) { return set_not_empty(value, options.pod_logs_dir); }},
    {"", "cgroup_root", "a path of the memory hierarchy, such as /kubepods.slice",
     [](auto& value, auto& options) {
       options.cgroup_root = value;
       return value.starts_with('/');
     }},
    {"", "sensitivity", "a number from 0.1 to 10", set_sensitivity},
    {"log", "level", "debug, info, warning or error",
     [](auto& value, auto& options) {
       return set_one_of(value, {"debug", "info", "warning", "error"}, options.log_level);
     }},
    {"log", "format", "text or json",
     [](auto& value, auto& options) {
       options.log_json = value == "json";
       return value == "json" || value == "text";
     }},
    {"bpf", "enabled", kBool,
     [](auto& value, auto& options) { return set_bool(value, options.bpf); }},
    {"bpf", "syscall_tracepoints", kBool,
     [](auto& value, auto& options) { return set_bool(value, options.syscall_tracepoints); }},
    {"bpf", "growth_rung", "fexit, vm_unmapped_area, kprobe or syscalls",
     [](auto& value, auto& options) {
       return set_one_of(value, {"fexit", "vm_unmapped_area", "kprobe", "syscalls"},
                         options.only_growth_rung);
     }},
}};
constexpr std::array<std::string_view, 2> kSections{"log", "bpf"};

bool is_section(std::string_view name) {
  return std::find(kSections.begin(), kSections.end(), name) != kSections.end();
}

// Text of the file in a message: one line, printable, bounded.
std::string quoted(std::string_view text) {
  static constexpr size_t kShown = 60;
  std::string out = "'";
  for (char c : text.substr(0, kShown)) out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return out + (text.size() > kShown ? "...'" : "'");
}

std::string join(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

// "log.level", or "listen" at the top.
std::string full_name(std::string_view section, std::string_view name) {
  return section.empty() ? std::string(name) : std::string(section) + "." + std::string(name);
}

std::vector<std::string_view> names_in(std::string_view section) {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys)
    if (key.section == section) names.push_back(key.name);
  if (section.empty()) names.insert(names.end(), kSections.begin(), kSections.end());
  return names;
}

class Reader {
 public:
  Reader(const std::string& name, AgentOptions options)
      : file_(name), options_(std::move(options)) {}

  base::Result<AgentOptions> read(const YAML::Node& document) {
    if (document.IsNull()) return options_;  // empty, or comments alone
    if (!document.IsMap()) return at(document, "expected lines of 'key: value'");
    auto done = read_map(document, "");
    if (!done) return std::move(done).error();
    return options_;
  }

 private:
  base::Error at(const YAML::Node& node, const std::string& message) const {
    return base::input_error(file_ + ":" + std::to_string(node.Mark().line + 1) + ": " + message);
  }

  base::Result<void> read_map(const YAML::Node& map, std::string_view section) {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const YAML::Node& key = entry.first;
      if (!key.IsScalar()) return at(key, "expected a key, which is a plain word");
      if (!seen.insert(key.Scalar()).second)
        return at(key, quoted(full_name(section, key.Scalar())) + " is given twice");
      auto done = section.empty() && is_section(key.Scalar())
                      ? read_section(key, entry.second)
                      : read_value(key, entry.second, section);
      if (!done) return done;
    }
    return {};
  }

  base::Result<void> read_section(const YAML::Node& key, const YAML::Node& value) {
    if (value.IsMap()) return read_map(value, key.Scalar());
    return at(key, quoted(key.Scalar()) +
                       ": expected keys of its own below it: " + join(names_in(key.Scalar())));
  }

  base::Result<void> read_value(const YAML::Node& key, const YAML::Node& value,
                                std::string_view section) {
    auto known = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& each) {
      return each.section == section && each.name == key.Scalar();
    });
    if (known == kKeys.end()) return unknown_key(key, section);
    if (value.IsScalar() && known->set(value.Scalar(), options_)) return {};
    std::string found = value.IsScalar() ? "not " + quoted(value.Scalar())
                        : value.IsNull() ? "and there is nothing"
                                         : "not a list or a map";
    return at(key, quoted(full_name(section, known->name)) + ": expected " +
                       std::string(known->expected) + ", " + found);
  }

  base::Error unknown_key(const YAML::Node& key, std::string_view section) const {
    std::string message = "unknown key " + quoted(full_name(section, key.Scalar()));
    auto here = names_in(section);
    if (auto near = base::nearest(key.Scalar(), here))
      return at(key, message + "; did you mean '" + full_name(section, *near) + "'?");
    for (const Key& elsewhere : kKeys)
      if (elsewhere.name == key.Scalar())
        return at(key, message + "; did you mean '" + full_name(elsewhere.section, elsewhere.name) +
                           "'?");
    return at(key, message + "; expected one of " + join(here));
  }

  std::string file_;
  AgentOptions options_;
};

// Where the second document begins. YAML::LoadAll is of no use: on some broken texts (",") it finds
// empty documents without end.
class SecondDocument : public YAML::EventHandler {
 public:
  static std::optional<int> line_in(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    SecondDocument handler;
    if (!parser.HandleNextDocument(handler) || !parser.HandleNextDocument(handler))
      return std::nullopt;
    return handler.line_;
  }

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int line_ = 1;
};

// The YAML reader would stop at a NUL byte as if the file ended there.
std::optional<size_t> line_of_control_character(const std::string& text) {
  size_t line = 1;
  for (char c : text) {
    if (c == '\n') ++line;
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t') return line;
  }
  return std::nullopt;
}

}  // namespace

base::Result<AgentOptions> parse_config(const std::string& text, const std::string& name,
                                        AgentOptions options) {
  if (auto line = line_of_control_character(text))
    return base::input_error(name + ":" + std::to_string(*line) +
                             ": expected plain text, found a control character");
  try {
    YAML::Node document = YAML::Load(text);
    if (auto line = SecondDocument::line_in(text))
      return base::input_error(name + ":" + std::to_string(*line) +
                               ": expected one document, a second one begins");
    return Reader(name, std::move(options)).read(document);
  } catch (const YAML::Exception& bad) {
    return base::input_error(name + ":" + std::to_string(std::max(bad.mark.line, 0) + 1) +
                             ": expected YAML: " + bad.msg);
  }
}

base::Result<AgentOptions> load_config(const std::string& path, AgentOptions options) {
  auto text = base::read_file(path, kLargestFile);
  if (!text) {
    base::Error error = std::move(text).error();
    error.bad_input = true;
    return error;
  }
  return parse_config(*text, path, std::move(options));
}

}  // namespace oomen::app
