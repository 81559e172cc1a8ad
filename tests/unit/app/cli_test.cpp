#include "app/cli.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace oomen::app {
namespace {

Command parse(std::vector<std::string> words) {
  words.insert(words.begin(), "oomen");
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  return parse_command_line(static_cast<int>(argv.size()), argv.data());
}

TEST(CommandLine, wrong_words_end_with_2_and_say_so_in_one_line) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"agnet"},
      {"agent", "--listne", "x"},
      {"agent", "--log-level", "loud"},
      {"agent", "--config", "/nonexistent/oomen.yaml"},
      {"run", "--limit", "96Mb", "--", "true"},
      {"run", "--limit", "96Mi"},
      {"replay"},
      {"replay", "--every", "soon", "x.csv"},
      {"doctor", "--xml"},
  };
  for (const auto& words : wrong) {
    testing::internal::CaptureStderr();
    Command command = parse(words);
    std::string said = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(std::holds_alternative<Exit>(command)) << said;
    EXPECT_EQ(std::get<Exit>(command).code, 2) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

TEST(CommandLine, help_and_version_end_with_0) {
  for (const char* word : {"--help", "--version"}) {
    testing::internal::CaptureStdout();
    Command command = parse({word});
    EXPECT_NE(testing::internal::GetCapturedStdout().find("oomen"), std::string::npos);
    ASSERT_TRUE(std::holds_alternative<Exit>(command));
    EXPECT_EQ(std::get<Exit>(command).code, 0);
  }
}

TEST(CommandLine, a_flag_wins_over_the_file_and_the_file_over_the_default) {
  std::string path = testing::TempDir() + "oomen-cli-test.yaml";
  std::ofstream(path) << "listen: ':1'\nnode_name: from-file\nbpf: {enabled: false}\n";
  Command command = parse({"agent", "--config", path, "--listen", ":2", "--log-json"});
  std::remove(path.c_str());
  ASSERT_TRUE(std::holds_alternative<AgentCommand>(command));
  const AgentOptions& options = std::get<AgentCommand>(command).options;
  EXPECT_EQ(options.listen, ":2");
  EXPECT_EQ(options.node_name, "from-file");
  EXPECT_FALSE(options.bpf);
  EXPECT_TRUE(options.log_json);
  EXPECT_EQ(options.state_dir, AgentOptions{}.state_dir);
}

TEST(CommandLine, run_takes_a_limit_and_leaves_the_command_alone) {
  Command command =
      parse({"run", "--limit", "96Mi", "--name", "demo/leaky", "--", "sh", "-c", "x"});
  ASSERT_TRUE(std::holds_alternative<RunOptions>(command));
  const RunOptions& options = std::get<RunOptions>(command);
  EXPECT_EQ(options.limit_bytes, 96ull << 20);
  EXPECT_EQ(options.name, "demo/leaky");
  EXPECT_TRUE(options.bpf);
  EXPECT_EQ(options.command, (std::vector<std::string>{"sh", "-c", "x"}));
}

TEST(CommandLine, replay_and_doctor) {
  Command replay = parse({"replay", "--json", "--every", "1h", "--limit", "1Gi", "-"});
  ASSERT_TRUE(std::holds_alternative<ReplayOptions>(replay));
  EXPECT_TRUE(std::get<ReplayOptions>(replay).json);
  EXPECT_DOUBLE_EQ(std::get<ReplayOptions>(replay).every_s, 3600);
  EXPECT_EQ(std::get<ReplayOptions>(replay).limit_bytes, 1ull << 30);
  EXPECT_EQ(std::get<ReplayOptions>(replay).file, "-");
  Command doctor = parse({"doctor", "--json", "--no-bpf"});
  ASSERT_TRUE(std::holds_alternative<DoctorOptions>(doctor));
  EXPECT_TRUE(std::get<DoctorOptions>(doctor).json);
  EXPECT_FALSE(std::get<DoctorOptions>(doctor).agent.bpf);
}

}  // namespace
}  // namespace oomen::app
