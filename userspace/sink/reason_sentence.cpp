#include <array>

#include "base/units.h"
#include "sink/sentence.h"

namespace oomen::sink {
namespace {

// What each code of engine/reasons.h says; {name} stands for the figure of that name.
struct Template {
  std::string_view code;
  std::string_view text;
};
constexpr std::array<Template, 17> kTemplates{{
    {"troughs_rise", "the troughs rise by {slope_bytes_per_s} over {window_s}"},
    {"new_high", "{above_bytes} above everything seen before"},
    {"headroom_eaten", "growth ate {eaten_ratio} of the headroom, {needed_ratio} is asked"},
    {"forecast_near", "the ceiling is {p50_s} away, judged from {window_s} seen"},
    {"too_short", "watched for {age_s} only"},
    {"no_rise", "no rise over {window_s}"},
    {"not_new_high", "{below_bytes} below what was seen before"},
    {"one_step", "one step is {of_growth_ratio} of the growth"},
    {"unsteady_rise", "it rises and falls, rank correlation {rank_correlation}"},
    {"old_ground", "of {growth_bytes} growth only {above_bytes} are above what was seen before"},
    {"plateau", "growth slows down, its later half is {late_slope_ratio} of the whole"},
    {"young",
     "seen for {window_s} only, and growth ate {eaten_ratio} of the headroom where "
     "{needed_ratio} is asked"},
    {"too_little", "growth ate {eaten_ratio} of the headroom, {needed_ratio} is asked"},
    {"no_ceiling", "there is no limit it could reach"},
    {"eta_beyond_seen", "the ceiling is {p50_s} away, too far for the {window_s} seen"},
    {"eta_unreliable", "its forecasts do not agree yet, reliability {reliability_ratio}"},
    {"swing", "peaks swing by {swing_bytes}, up to {peak_bytes}"},
}};

std::string plain_number(double value) {
  char out[32];
  snprintf(out, sizeof out, "%.3g", value);
  return out;
}

// The value with the unit that the figure's name ends in.
std::string value_text(const model::Figure& figure) {
  struct Unit {
    std::string_view suffix;
    std::string (*format)(double);
  };
  static const std::array<Unit, 5> kUnits{{
      {"_bytes_per_s", base::format_rate},
      {"_bytes", base::format_bytes},
      {"_ratio", [](double v) { return plain_number(v * 100) + " %"; }},
      {"_percent", [](double v) { return plain_number(v) + " %"; }},
      {"_s", base::format_duration},
  }};
  for (const Unit& unit : kUnits)
    if (figure.name.ends_with(unit.suffix)) return unit.format(figure.value);
  return plain_number(figure.value);
}

std::string value_of(const model::Reason& reason, std::string_view name) {
  for (const model::Figure& figure : reason.figures)
    if (figure.name == name) return value_text(figure);
  return "an unknown amount";
}

std::string filled(std::string_view text, const model::Reason& reason) {
  std::string out;
  for (size_t open; (open = text.find('{')) != std::string_view::npos;) {
    size_t close = text.find('}', open);
    out += text.substr(0, open);
    out += value_of(reason, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return out += text;
}

// A code this file does not know yet: its own words, and each figure by name.
std::string spelled_out(const model::Reason& reason) {
  std::string out(reason.code);
  for (const model::Figure& figure : reason.figures)
    out += (&figure == &reason.figures.front() ? ": " : ", ") + std::string(figure.name) + " " +
           value_text(figure);
  for (char& c : out)
    if (c == '_') c = ' ';
  return out;
}

}  // namespace

std::string reason_sentence(const model::Reason& reason) {
  for (const Template& known : kTemplates)
    if (known.code == reason.code) return filled(known.text, reason);
  return spelled_out(reason);
}

}  // namespace oomen::sink
