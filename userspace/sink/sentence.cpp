#include "sink/sentence.h"

#include <array>
#include <cmath>

#include "base/clock.h"
#include "base/units.h"
#include "sink/printable.h"

namespace oomen::sink {
namespace {
using model::Assessment;
using model::Autopsy;
using model::Verdict;

std::string joined(const std::string& head, const std::string& tail) {
  return head.empty() || tail.empty() ? head + tail : head + "/" + tail;
}

// Whose limit it is, as the container's owner would put it.
std::string ceiling_words(const model::Ceiling& ceiling) {
  struct Words {
    std::string_view level;
    const char* text;
  };
  static const std::array<Words, 6> kWords{{{"container", "its own limit"},
                                            {"pod", "its pod's limit"},
                                            {"qos", "the limit of its QoS class"},
                                            {"kubepods", "the limit of all pods"},
                                            {"node", "the node's memory"},
                                            {"cgroup", "the limit of a cgroup above it"}}};
  std::string size = base::format_bytes(static_cast<double>(ceiling.bytes));
  for (const Words& words : kWords)
    if (words.level == ceiling.level)
      return words.text + std::string(ceiling.level == "node" ? ", " : " of ") + size;
  return "a limit of " + size;
}

std::string trend_words(const Assessment& assessment) {
  std::string text(name(assessment.verdict));
  bool grows = assessment.slope_bytes_per_s != 0 && std::isfinite(assessment.slope_bytes_per_s);
  if (!grows || assessment.verdict == Verdict::kSteady || assessment.verdict == Verdict::kUnknown)
    return text;
  text += assessment.slope_bytes_per_s > 0 ? ", grows by " : ", shrinks by ";
  text += base::format_rate(std::fabs(assessment.slope_bytes_per_s));
  if (assessment.window_s) text += " over the last " + base::format_duration(*assessment.window_s);
  return text;
}

std::string eta_words(const model::Eta& eta) {
  return "in " + base::format_duration(eta.p10_s) + " to " + base::format_duration(eta.p90_s) +
         " (most likely " + base::format_duration(eta.p50_s) + ")";
}

std::string victim_words(const Autopsy& autopsy) {
  if (autopsy.victim_pid <= 0) return {};
  std::string text = "pid " + std::to_string(autopsy.victim_pid);
  if (!autopsy.victim_comm.empty()) text += " " + printable(autopsy.victim_comm);
  return text;
}

std::string signal_words(int signal) {
  if (signal == 9) return "SIGKILL";
  if (signal == 15) return "SIGTERM";
  return "signal " + std::to_string(signal);
}

// "(exit 137, SIGKILL, pid 1234 leaky)": of that what is known.
std::string death_marks(const Autopsy& autopsy) {
  std::string text;
  auto append = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (autopsy.exit_code) append("exit " + std::to_string(*autopsy.exit_code));
  if (autopsy.signal) append(signal_words(*autopsy.signal));
  if (!autopsy.child) append(victim_words(autopsy));
  return text.empty() ? text : " (" + text + ")";
}

std::string limit_words(const Autopsy& autopsy, const std::string& whose) {
  std::string text = " at " + whose;
  if (autopsy.limit_bytes)
    text += " of " + base::format_bytes(static_cast<double>(*autopsy.limit_bytes));
  return text;
}

std::string sender_words(const Autopsy& autopsy) {
  if (autopsy.killer.empty()) return "an unknown sender";
  if (autopsy.killer == "kernel") return "the kernel";
  std::string text = printable(autopsy.killer);
  if (!autopsy.killer_cgroup.empty()) text += " (in " + printable(autopsy.killer_cgroup) + ")";
  return text;
}

std::string cause_words(const Autopsy& autopsy) {
  const std::string& kind = autopsy.kind;
  if (kind == "container_limit") return " by the kernel" + limit_words(autopsy, "its own limit");
  if (kind == "pod_limit") return " by the kernel" + limit_words(autopsy, "its pod's limit");
  if (kind == "qos_limit")
    return " by the kernel" + limit_words(autopsy, "the limit of its QoS class");
  if (kind == "node") return " by the kernel because the node ran out of memory";
  if (kind == "eviction") return " by the kubelet, which evicted its pod to free the node's memory";
  if (kind == "userspace_oom")
    return " by " + sender_words(autopsy) + ", which guards memory in user space";
  if (kind == "not_oom") return ", but not for memory: by " + sender_words(autopsy);
  return "; which limit it hit is not known";
}

std::string warning_words(const Autopsy& autopsy) {
  if (autopsy.kind == "not_oom") return ".";
  if (autopsy.first_alert_ns && *autopsy.first_alert_ns <= autopsy.time_ns) {
    double lead_s = base::seconds(autopsy.time_ns - *autopsy.first_alert_ns);
    return " — the alert came " + base::format_duration(lead_s) + " before.";
  }
  return autopsy.first_alert_ns ? " — the alert came too late." : " — no alert came before.";
}

std::string count_words(const Autopsy& autopsy) {
  size_t count = autopsy.disagreements.size();
  if (count == 0) return {};
  return " " + std::to_string(count) +
         (count == 1 ? " witness disagrees." : " witnesses disagree.");
}

}  // namespace

std::string display_name(const model::Container& container) {
  std::string tail = container.container == container.pod
                         ? container.pod
                         : joined(container.pod, container.container);
  std::string whole = joined(container.namespace_name, tail);
  return printable(whole.empty() ? container.cgroup_path : whole);
}

std::string verdict_sentence(const Assessment& assessment,
                             const std::optional<model::Ceiling>& ceiling) {
  std::string text = trend_words(assessment);
  if (assessment.verdict == Verdict::kSteady && assessment.trough_bytes)
    text += " at " + base::format_bytes(*assessment.trough_bytes);
  if (assessment.verdict == Verdict::kUnknown && !assessment.reasons.empty())
    text += ": " + reason_sentence(assessment.reasons.front());
  if (assessment.eta && assessment.reliable && ceiling)
    text += "; reaches " + ceiling_words(*ceiling) + " " + eta_words(*assessment.eta);
  else if (ceiling && assessment.firing)
    text += "; " + ceiling_words(*ceiling) + " comes nearer, when can't be said reliably yet";
  return text + ".";
}

std::string autopsy_sentence(const Autopsy& autopsy) {
  std::string name = display_name(autopsy.container);
  std::string subject = name.empty() ? "An unnamed container" : name;
  if (autopsy.child) {
    std::string victim = victim_words(autopsy);
    subject = "A child process of " + subject + (victim.empty() ? "" : ", " + victim + ",");
  }
  std::string text = subject + " was killed" + cause_words(autopsy) + death_marks(autopsy);
  if (autopsy.child) text += "; the container lives on";
  if (autopsy.group) text += "; all its processes were killed together";
  return text + warning_words(autopsy) + count_words(autopsy);
}

}  // namespace oomen::sink
