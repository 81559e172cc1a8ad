#include "app/config.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace oomen::app {
namespace {

base::Result<AgentOptions> parse(const std::string& text) {
  return parse_config(text, "oomen.yaml", AgentOptions{});
}

TEST(Config, every_key_reaches_its_option) {
  auto options = parse(
      "listen: '[::1]:9000'\nnode_name: worker-1\nstate_dir: /state\npod_logs_dir: /logs\n"
      "cgroup_root: /kubepods.slice\nsensitivity: 1.5\nlog:\n  level: debug\n  format: json\n"
      "bpf:\n  enabled: false\n  syscall_tracepoints: true\n  growth_rung: kprobe\n");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->listen, "[::1]:9000");
  EXPECT_EQ(options->node_name, "worker-1");
  EXPECT_EQ(options->state_dir, "/state");
  EXPECT_EQ(options->pod_logs_dir, "/logs");
  EXPECT_EQ(options->cgroup_root, "/kubepods.slice");
  EXPECT_DOUBLE_EQ(options->sensitivity, 1.5);
  EXPECT_EQ(options->log_level, "debug");
  EXPECT_TRUE(options->log_json);
  EXPECT_FALSE(options->bpf);
  EXPECT_TRUE(options->syscall_tracepoints);
  EXPECT_EQ(options->only_growth_rung, "kprobe");
}

TEST(Config, what_the_file_does_not_say_stays) {
  AgentOptions before;
  before.node_name = "kept";
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "log: {level: error}"}) {
    auto options = parse_config(text, "oomen.yaml", before);
    ASSERT_TRUE(options) << text << options.error().message;
    EXPECT_EQ(options->node_name, "kept");
    EXPECT_EQ(options->listen, AgentOptions{}.listen);
  }
}

struct Bad {
  const char* name;
  std::string text;
  std::string message;
};

class BadConfig : public testing::TestWithParam<Bad> {};

TEST_P(BadConfig, is_one_line_that_names_the_place) {
  auto options = parse(GetParam().text);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().message, GetParam().message);
  EXPECT_TRUE(options.error().bad_input);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadConfig,
    testing::Values(
        Bad{"misspelt", "# mine\nlisen: ':9747'\n",
            "oomen.yaml:2: unknown key 'lisen'; did you mean 'listen'?"},
        Bad{"misspelt_section", "logs:\n  level: info\n",
            "oomen.yaml:1: unknown key 'logs'; did you mean 'log'?"},
        Bad{"misspelt_inside", "bpf:\n  enabled: true\n  growth_rugn: fexit\n",
            "oomen.yaml:3: unknown key 'bpf.growth_rugn'; did you mean 'bpf.growth_rung'?"},
        Bad{"wrong_section", "level: info\n",
            "oomen.yaml:1: unknown key 'level'; did you mean 'log.level'?"},
        Bad{"nothing_near", "replicas: 3\n",
            "oomen.yaml:1: unknown key 'replicas'; expected one of listen, node_name, state_dir, "
            "pod_logs_dir, cgroup_root, sensitivity, log, bpf"},
        Bad{"twice", "listen: ':1'\nnode_name: a\nlisten: ':2'\n",
            "oomen.yaml:3: 'listen' is given twice"},
        Bad{"twice_inside", "log: {level: info, level: debug}",
            "oomen.yaml:1: 'log.level' is given twice"},
        Bad{"no_port", "listen: localhost\n",
            "oomen.yaml:1: 'listen': expected ADDRESS:PORT, such as 127.0.0.1:9747, not "
            "'localhost'"},
        Bad{"port_too_large", "listen: ':70000'\n",
            "oomen.yaml:1: 'listen': expected ADDRESS:PORT, such as 127.0.0.1:9747, not ':70000'"},
        Bad{"not_a_bool", "bpf:\n  enabled: 1\n",
            "oomen.yaml:2: 'bpf.enabled': expected true or false, not '1'"},
        Bad{"not_a_number", "sensitivity: high\n",
            "oomen.yaml:1: 'sensitivity': expected a number from 0.1 to 10, not 'high'"},
        Bad{"not_finite", "sensitivity: nan\n",
            "oomen.yaml:1: 'sensitivity': expected a number from 0.1 to 10, not 'nan'"},
        Bad{"out_of_range", "sensitivity: -1\n",
            "oomen.yaml:1: 'sensitivity': expected a number from 0.1 to 10, not '-1'"},
        Bad{"unknown_level", "log:\n  level: loud\n",
            "oomen.yaml:2: 'log.level': expected debug, info, warning or error, not 'loud'"},
        Bad{"unknown_rung", "bpf: {growth_rung: fentry}",
            "oomen.yaml:1: 'bpf.growth_rung': expected fexit, vm_unmapped_area, kprobe or "
            "syscalls, not 'fentry'"},
        Bad{"list_for_a_value", "state_dir: [a]\n",
            "oomen.yaml:1: 'state_dir': expected the path of a folder, not a list or a map"},
        Bad{"value_for_a_section", "log: debug\n",
            "oomen.yaml:1: 'log': expected keys of its own below it: level, format"},
        Bad{"half_a_file_value", "node_name: a\nlisten:",
            "oomen.yaml:2: 'listen': expected ADDRESS:PORT, such as 127.0.0.1:9747, and there is "
            "nothing"},
        Bad{"half_a_file_section", "node_name: a\nlog:\n",
            "oomen.yaml:2: 'log': expected keys of its own below it: level, format"},
        Bad{"half_a_file_word", "liste", "oomen.yaml:1: expected lines of 'key: value'"},
        Bad{"list_at_the_top", "- listen\n", "oomen.yaml:1: expected lines of 'key: value'"},
        Bad{"map_as_a_key", "{a: b}: c\n", "oomen.yaml:1: expected a key, which is a plain word"},
        Bad{"two_documents", "node_name: a\n---\nnode_name: b\n",
            "oomen.yaml:2: expected one document, a second one begins"},
        Bad{"nul", std::string("node_name: a\nlisten: \0", 23),
            "oomen.yaml:2: expected plain text, found a control character"},
        Bad{"key_of_many_lines", "\"a\\nb\": 1\n",
            "oomen.yaml:1: unknown key 'a?b'; expected one of listen, node_name, state_dir, "
            "pod_logs_dir, cgroup_root, sensitivity, log, bpf"}),
    [](const auto& info) { return std::string(info.param.name); });

void expect_one_line_error(const std::string& text) {
  auto options = parse(text);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().message.find('\n'), std::string::npos);
  EXPECT_EQ(options.error().message.rfind("oomen.yaml:", 0), 0u) << options.error().message;
  EXPECT_LT(options.error().message.size(), 400u);
}

TEST(Config, hostile_yaml_costs_one_error) {
  expect_one_line_error(std::string(100'000, '['));
  expect_one_line_error("listen: " + std::string(100'000, '{'));
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  expect_one_line_error(deep);
  std::string bomb = "a: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 40; ++i) {
    std::string last = "*a" + std::to_string(i - 1);
    bomb +=
        "b" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  expect_one_line_error(bomb);
  expect_one_line_error("a: &a [*a]\n");
  expect_one_line_error("listen: *nowhere\n");
  expect_one_line_error("<<: {listen: x}\n");
  expect_one_line_error(std::string(50'000, 'k') + ": 1\n");
  expect_one_line_error("listen: 'never closed\n\n\n");
  expect_one_line_error("log: {level: inf");
  expect_one_line_error(",");  // a reader of all documents finds them here without end
  expect_one_line_error(",is\360\067\"\360\n");
  expect_one_line_error("\tlisten: x\n");
  expect_one_line_error("%YAML 9.9\n---\na: b");
}

TEST(Config, a_missing_file_and_a_huge_one_are_bad_input) {
  auto missing = load_config("/nonexistent/oomen.yaml", AgentOptions{});
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().bad_input);
  EXPECT_EQ(missing.error().message, "opening /nonexistent/oomen.yaml: No such file or directory");

  std::string path = testing::TempDir() + "oomen-config-huge.yaml";
  std::ofstream(path) << std::string(300 * 1024, '#');
  auto huge = load_config(path, AgentOptions{});
  std::remove(path.c_str());
  ASSERT_FALSE(huge);
  EXPECT_TRUE(huge.error().bad_input);
}

}  // namespace
}  // namespace oomen::app
