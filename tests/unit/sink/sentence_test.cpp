#include "sink/sentence.h"

#include <gtest/gtest.h>

#include "snapshots.h"

namespace oomen::sink {
namespace {

TEST(AutopsySentence, IsOneATiredPersonUnderstands) {
  EXPECT_EQ(autopsy_sentence(killed_at_limit()),
            "demo/leaky was killed by the kernel at its own limit of 96.0 MiB (exit 137, SIGKILL, "
            "pid 1234 leaky) — the alert came 34 s before.");
}

TEST(AutopsySentence, SaysThatNoAlertCame) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.first_alert_ns.reset();
  EXPECT_TRUE(autopsy_sentence(autopsy).ends_with("— no alert came before."));
  autopsy.first_alert_ns = autopsy.time_ns + 1;
  EXPECT_TRUE(autopsy_sentence(autopsy).ends_with("— the alert came too late."));
}

TEST(AutopsySentence, EachKindNamesItsCause) {
  struct Case {
    const char* kind;
    const char* says;
  };
  for (const Case& c : {Case{"pod_limit", "by the kernel at its pod's limit of 96.0 MiB"},
                        {"qos_limit", "at the limit of its QoS class of 96.0 MiB"},
                        {"node", "because the node ran out of memory"},
                        {"eviction", "by the kubelet, which evicted its pod"},
                        {"userspace_oom", "by the kernel, which guards memory in user space"},
                        {"not_oom", "but not for memory: by the kernel (exit 137"},
                        {"", "which limit it hit is not known"}}) {
    model::Autopsy autopsy = killed_at_limit();
    autopsy.kind = c.kind;
    EXPECT_NE(autopsy_sentence(autopsy).find(c.says), std::string::npos)
        << autopsy_sentence(autopsy);
  }
}

TEST(AutopsySentence, TellsWhoKilledWhenMemoryDidNot) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.kind = "not_oom";
  autopsy.killer = "bash";
  autopsy.killer_cgroup = "/user.slice";
  EXPECT_EQ(autopsy_sentence(autopsy),
            "demo/leaky was killed, but not for memory: by bash (in /user.slice) (exit 137, "
            "SIGKILL, pid 1234 leaky).");
}

TEST(AutopsySentence, AChildsDeathIsNotTheContainers) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.child = true;
  autopsy.exit_code.reset();
  EXPECT_EQ(autopsy_sentence(autopsy),
            "A child process of demo/leaky, pid 1234 leaky, was killed by the kernel at its own "
            "limit of 96.0 MiB (SIGKILL); the container lives on — the alert came 34 s before.");
}

TEST(AutopsySentence, AGroupKillAndDisagreementsAreSaid) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.group = true;
  autopsy.disagreements = {"a", "b"};
  std::string text = autopsy_sentence(autopsy);
  EXPECT_NE(text.find("; all its processes were killed together"), std::string::npos);
  EXPECT_TRUE(text.ends_with("2 witnesses disagree."));
}

TEST(AutopsySentence, NothingKnownIsStillASentence) {
  EXPECT_EQ(autopsy_sentence(model::Autopsy{}),
            "An unnamed container was killed; which limit it hit is not known — no alert came "
            "before.");
}

TEST(AutopsySentence, NamesCanNotMoveTheCursor) {
  model::Autopsy autopsy = killed_at_limit();
  autopsy.victim_comm = "\x1b[2Jx\n";
  std::string text = autopsy_sentence(autopsy);
  EXPECT_EQ(text.find_first_of("\x1b\n"), std::string::npos);
}

TEST(VerdictSentence, ALeakHasGrowthEtaAndCeiling) {
  model::ContainerView view = leaking_view("demo", "leaky", "leaky");
  EXPECT_EQ(verdict_sentence(view.assessment, view.ceiling),
            "leaking, grows by 1.0 MiB/s over the last 40 s; reaches its own limit of 96.0 MiB in "
            "30 s to 70 s (most likely 45 s).");
}

TEST(VerdictSentence, NoNumberWhereNoneIsReliable) {
  model::ContainerView view = leaking_view("demo", "leaky", "leaky");
  view.assessment.reliable = false;
  EXPECT_EQ(verdict_sentence(view.assessment, view.ceiling),
            "leaking, grows by 1.0 MiB/s over the last 40 s; its own limit of 96.0 MiB comes "
            "nearer, when can't be said reliably yet.");
}

TEST(VerdictSentence, QuietOnesAreShort) {
  model::Assessment assessment;
  EXPECT_EQ(verdict_sentence(assessment, std::nullopt), "unknown.");
  assessment.verdict = model::Verdict::kSteady;
  assessment.trough_bytes = 40 * kMiB;
  EXPECT_EQ(verdict_sentence(assessment, std::nullopt), "steady at 40.0 MiB.");
}

TEST(VerdictSentence, EachLevelHasItsWords) {
  model::ContainerView view = leaking_view("demo", "leaky", "leaky");
  for (auto [level, words] : {std::pair{"pod", "its pod's limit of 96.0 MiB"},
                              {"qos", "the limit of its QoS class of 96.0 MiB"},
                              {"kubepods", "the limit of all pods of 96.0 MiB"},
                              {"node", "the node's memory, 96.0 MiB"},
                              {"cgroup", "the limit of a cgroup above it of 96.0 MiB"},
                              {"else", "a limit of 96.0 MiB"}}) {
    view.ceiling->level = level;
    EXPECT_NE(verdict_sentence(view.assessment, view.ceiling).find(words), std::string::npos)
        << level;
  }
}

TEST(DisplayName, SaysEachNameOnce) {
  model::Container container = container_view("ns", "pod", "app").container;
  EXPECT_EQ(display_name(container), "ns/pod/app");
  container.container = "pod";
  EXPECT_EQ(display_name(container), "ns/pod");
  container = {};
  container.cgroup_path = "/system.slice/x.service";
  EXPECT_EQ(display_name(container), "/system.slice/x.service");
}

}  // namespace
}  // namespace oomen::sink
