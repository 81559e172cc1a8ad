// Codes of reasons, and their figures. Text is made from them at the edge (sink/sentence).
#pragma once
#include <string_view>

namespace oomen::engine::code {

// For a leak.
constexpr std::string_view kTroughsRise =
    "troughs_rise";  // window_s, troughs, slope_bytes_per_s, rank_correlation
constexpr std::string_view kNewHigh = "new_high";              // above_bytes
constexpr std::string_view kHeadroomEaten = "headroom_eaten";  // eaten_ratio, needed_ratio
constexpr std::string_view kForecastNear = "forecast_near";    // p50_s, window_s, reliability_ratio
// Against one.
constexpr std::string_view kTooShort = "too_short";         // age_s
constexpr std::string_view kNoRise = "no_rise";             // window_s
constexpr std::string_view kNotNewHigh = "not_new_high";    // window_s, below_bytes
constexpr std::string_view kOneStep = "one_step";           // of_growth_ratio
constexpr std::string_view kUnsteady = "unsteady_rise";     // rank_correlation
constexpr std::string_view kOldGround = "old_ground";       // above_bytes, growth_bytes
constexpr std::string_view kPlateau = "plateau";            // late_slope_ratio
constexpr std::string_view kYoung = "young";                // window_s, eaten_ratio, needed_ratio
constexpr std::string_view kTooLittle = "too_little";       // eaten_ratio, needed_ratio
constexpr std::string_view kNoCeiling = "no_ceiling";       //
constexpr std::string_view kFarAhead = "eta_beyond_seen";   // p50_s, window_s
constexpr std::string_view kUnreliable = "eta_unreliable";  // reliability_ratio
// About the peaks.
constexpr std::string_view kSwing = "swing";  // swing_bytes, peak_bytes

}  // namespace oomen::engine::code
