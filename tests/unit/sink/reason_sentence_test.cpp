#include <gtest/gtest.h>

#include "engine/reasons.h"
#include "sink/sentence.h"

namespace oomen::sink {
namespace {
namespace code = engine::code;

TEST(ReasonSentence, FiguresHaveTheUnitTheirNamesSay) {
  EXPECT_EQ(reason_sentence(
                {code::kTroughsRise, false, {{"slope_bytes_per_s", 1048576}, {"window_s", 60}}}),
            "the troughs rise by 1.0 MiB/s over 60 s");
  EXPECT_EQ(
      reason_sentence({code::kHeadroomEaten, false, {{"eaten_ratio", .5}, {"needed_ratio", .25}}}),
      "growth ate 50 % of the headroom, 25 % is asked");
}

TEST(ReasonSentence, EveryCodeOfTheEngineHasWordsOfItsOwn) {
  for (std::string_view known :
       {code::kTroughsRise, code::kNewHigh, code::kHeadroomEaten, code::kForecastNear,
        code::kTooShort, code::kNoRise, code::kNotNewHigh, code::kOneStep, code::kUnsteady,
        code::kOldGround, code::kPlateau, code::kYoung, code::kTooLittle, code::kNoCeiling,
        code::kFarAhead, code::kUnreliable, code::kSwing}) {
    std::string code_words(known);
    for (char& c : code_words)
      if (c == '_') c = ' ';
    EXPECT_NE(reason_sentence({known, false, {}}), code_words) << known;
  }
}

TEST(ReasonSentence, AMissingFigureIsSaidToBeUnknown) {
  EXPECT_EQ(reason_sentence({code::kNewHigh, false, {}}),
            "an unknown amount above everything seen before");
}

TEST(ReasonSentence, AnUnknownCodeIsSpelledOut) {
  EXPECT_EQ(reason_sentence({"moon_phase", true, {{"level_bytes", 2048}, {"count", 3}}}),
            "moon phase: level bytes 2.0 KiB, count 3");
}

}  // namespace
}  // namespace oomen::sink
