// Every window the forecast would weigh, at given moments of a series: what fit.py learns from.
// usage: candidates FILE LIMIT_BYTES TIME_S...   (times rising)
// stdout: float32 rows of kColumns: time, level, blocks, age, width, p50, p10, p10 by all peaks,
// swing, scatter, line now, slope, signs...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "app/replay_input.h"
#include "engine/forecast.h"

using namespace oomen;

namespace {

void print(double time_s, const engine::Candidates& found) {
  for (int i = 0; i < found.n; ++i) {
    const engine::Candidate& c = found.all[size_t(i)];
    std::vector<float> row;
    for (double x :
         {time_s, double(c.level), double(c.blocks), c.age_s, c.width_s, c.p50_s, c.p10_s,
          c.p10_all_s, c.swing_bytes, c.scatter_bytes, c.level_bytes, c.slope_bytes_per_s})
      row.push_back(float(x));
    for (double sign : c.signs) row.push_back(float(sign));
    std::fwrite(row.data(), sizeof(float), row.size(), stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  double limit = std::atof(argv[2]);
  std::vector<double> times;
  for (int i = 3; i < argc; ++i) times.push_back(std::atof(argv[i]));
  app::ReplayInput input(argv[1]);
  engine::Pyramid pyramid(0);
  engine::Forecaster forecaster;
  std::ifstream in(argv[1]);
  size_t next = 0;
  for (std::string text; next < times.size() && std::getline(in, text);) {
    auto sample = input.line(text);
    if (!sample) {
      std::fprintf(stderr, "%s\n", sample.error().message.c_str());
      return 2;
    }
    if (!*sample) continue;
    pyramid.add((*sample)->time_s, float((*sample)->bytes));
    if ((*sample)->time_s < times[next]) continue;
    engine::Candidates found;
    forecaster.candidates(pyramid, limit, found);
    print((*sample)->time_s, found);
    while (next < times.size() && times[next] <= (*sample)->time_s) ++next;
  }
}
