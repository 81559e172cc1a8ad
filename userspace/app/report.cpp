#include "app/report.h"

#include <cmath>

#include "base/clock.h"
#include "base/units.h"
#include "sink/sentence.h"

namespace oomen::app {
namespace {

using base::format_bytes;
using base::format_duration;
using base::format_rate;

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string eta_text(const model::Assessment& assessment) {
  if (!assessment.eta || !assessment.reliable) return "no reliable ETA";
  const model::Eta& eta = *assessment.eta;
  return "limit in " + format_duration(eta.p50_s) + " (" + format_duration(eta.p10_s) + " to " +
         format_duration(eta.p90_s) + ")";
}

void add_row(std::string& out, std::string_view label, const std::string& value) {
  if (value.empty()) return;
  out += "  " + std::string(label) + std::string(label.size() < 14 ? 14 - label.size() : 1, ' ') +
         value + "\n";
}

std::string alert_text(const model::Autopsy& autopsy) {
  if (!autopsy.first_alert_ns) return "none stood";
  return base::rfc3339_utc(*autopsy.first_alert_wall_ns) + ", " +
         format_duration(base::seconds(autopsy.time_ns - *autopsy.first_alert_ns)) +
         " before the kill";
}

std::string victim_text(const model::Autopsy& autopsy) {
  if (autopsy.victim_pid == 0) return "unknown";
  return "pid " + std::to_string(autopsy.victim_pid) + " " + autopsy.victim_comm + " in " +
         autopsy.victim_cgroup;
}

}  // namespace

std::string progress_line(const model::ContainerView& view, double age_s) {
  const model::Assessment& assessment = view.assessment;
  std::string line = padded(format_duration(age_s), 8) + "  usage " +
                     padded(format_bytes(static_cast<double>(view.latest.usage_bytes)), 9);
  if (assessment.trough_bytes)
    line += "  trough " + padded(format_bytes(*assessment.trough_bytes), 9);
  std::string rate = format_rate(assessment.slope_bytes_per_s);
  line += "  " + padded((assessment.slope_bytes_per_s >= 0 ? "+" : "") + rate, 12);
  return line + "  " + eta_text(assessment) + "  " + std::string(model::name(assessment.verdict));
}

std::string alert_line(const model::ContainerView& view, double age_s) {
  return "ALERT at " + format_duration(age_s) + " (" +
         std::string(model::name(view.assessment.severity)) +
         "): " + sink::display_name(view.container) + " is " +
         sink::verdict_sentence(view.assessment, view.ceiling);
}

std::string autopsy_report(const model::Autopsy& autopsy) {
  std::string out = sink::autopsy_sentence(autopsy) + "\n";
  add_row(out, "time", base::rfc3339_utc(autopsy.wall_time_ns));
  add_row(out, "kind",
          autopsy.kind + (autopsy.group ? ", the whole group" : "") +
              (autopsy.child ? ", a child; the container lived on" : ""));
  add_row(out, "victim", victim_text(autopsy));
  if (autopsy.exit_code) add_row(out, "exit code", std::to_string(*autopsy.exit_code));
  add_row(out, "killer",
          autopsy.killer + (autopsy.killer_cgroup.empty() ? "" : " in " + autopsy.killer_cgroup));
  if (autopsy.limit_bytes)
    add_row(out, "limit",
            format_bytes(static_cast<double>(*autopsy.limit_bytes)) + " of " +
                autopsy.limit_owner_cgroup);
  add_row(out, "first alert", alert_text(autopsy));
  for (const model::Witness& witness : autopsy.witnesses)
    add_row(out, "witness", witness.source + ": " + witness.says);
  for (const std::string& disagreement : autopsy.disagreements)
    add_row(out, "disagreement", disagreement);
  return out;
}

}  // namespace oomen::app
