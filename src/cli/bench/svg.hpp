// Charts as SVG: lines over two logarithmic axes, and bars.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cli {

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;  // all above 0
};

/// How a number reads beside an axis.
using TickText = std::string (*)(double value);

struct LineChart {
  std::string title, x_title, y_title;
  TickText x_text = nullptr;
  TickText y_text = nullptr;
  double x_step = 2;  // x has its ticks at powers of this
  std::vector<Line> lines;
};

struct BarChart {
  std::string title, x_title, y_title;
  TickText y_text = nullptr;
  std::vector<std::pair<std::string, double>> bars;
};

/// A page of charts, two in a row, lines before bars. Lines of one name have one colour, which the
/// legend below shows.
struct ChartPage {
  std::string title, subtitle;
  std::vector<LineChart> lines;
  std::vector<BarChart> bars;
};

std::string to_svg(const ChartPage& page);

}  // namespace cli
