// Charts as SVG: lines over two logarithmic axes, and bars.
#include "cli/bench/svg.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cli/base/text.hpp"

namespace cli {
namespace {

constexpr double page_width = 1160, margin = 28, header = 84, gap = 24, legend = 52;
constexpr double chart_width = (page_width - 2 * margin - gap) / 2, chart_height = 348;

// Told apart by those who do not see all colours as well (Okabe and Ito).
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#5f6b7a"};

std::string number(double value) { return printed("%.1f", value); }

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

/// The document as it grows.
class Drawing {
 public:
  void raw(const std::string& element) { out_ += element + '\n'; }
  void rectangle(double x, double y, double width, double height, const std::string& style) {
    raw("<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
        "\" height=\"" + number(height) + "\" " + style + "/>");
  }
  void line(double x1, double y1, double x2, double y2, const std::string& colour) {
    raw("<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
        "\" y2=\"" + number(y2) + "\" stroke=\"" + colour + "\"/>");
  }
  void text(double x, double y, const std::string& words, const std::string& style) {
    raw("<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + escaped(words) +
        "</text>");
  }
  const std::string& all() const { return out_; }

 private:
  std::string out_;
};

/// Where the numbers of an axis lie on the page.
struct Axis {
  double least = 0, most = 1;  // numbers, or logarithms
  double from = 0, to = 1;     // on the page
  bool logarithmic = false;

  double place(double value) const {
    const double v = logarithmic ? std::log10(value) : value;
    return from + (v - least) / (most - least) * (to - from);
  }
};

struct Frame {
  double left, top, right, bottom;
};

// The frame of the numbered chart of a page.
Frame frame_of(size_t index) {
  const size_t row = index / 2, column = index % 2;
  const double x = margin + static_cast<double>(column) * (chart_width + gap);
  const double y = header + static_cast<double>(row) * (chart_height + gap);
  return {x, y, x + chart_width, y + chart_height};
}

/// The panel with its titles; returns the frame of the plot in it.
Frame draw_panel(Drawing& to, const Frame& f, const std::string& title, const std::string& x_title,
                 const std::string& y_title) {
  to.rectangle(f.left, f.top, chart_width, chart_height, "rx=\"8\" fill=\"#f7f8fa\"");
  to.text(f.left + 18, f.top + 27, title, "font-size=\"15\" font-weight=\"600\"");
  const Frame plot = {f.left + 82, f.top + 46, f.right - 20, f.bottom - 72};
  to.text((plot.left + plot.right) / 2, f.bottom - 12, x_title,
          "text-anchor=\"middle\" font-size=\"12\" fill=\"#52606d\"");
  const std::string place = number(f.left + 20) + " " + number((plot.top + plot.bottom) / 2);
  to.raw("<text transform=\"translate(" + place + ") rotate(-90)\" text-anchor=\"middle\" " +
         "font-size=\"12\" fill=\"#52606d\">" + escaped(y_title) + "</text>");
  return plot;
}

void draw_y_tick(Drawing& to, const Frame& plot, double y, const std::string& words) {
  to.line(plot.left, y, plot.right, y, "#dde2e8");
  to.text(plot.left - 8, y + 4, words, "text-anchor=\"end\" font-size=\"11\"");
}

// 1, 10, 100, with 2 and 5 in between if that is not many.
std::vector<double> logarithmic_ticks(const Axis& axis) {
  const bool few = axis.most - axis.least < 2.6;
  std::vector<double> ticks;
  for (double e = std::floor(axis.least); e <= axis.most; ++e)
    for (double step : {1.0, 2.0, 5.0}) {
      const double tick = step * std::pow(10, e);
      const double place = std::log10(tick);
      if ((step == 1 || few) && place >= axis.least && place <= axis.most) ticks.push_back(tick);
    }
  return ticks;
}

// A round step that leads to the number in about five.
double round_step(double most) {
  const double unit = std::pow(10, std::floor(std::log10(most / 5)));
  for (double step : {1.0, 2.0, 5.0})
    if (most / (step * unit) <= 5.5) return step * unit;
  return 10 * unit;
}

Axis axis_of(const LineChart& chart, double from, double to, bool is_y) {
  double least = HUGE_VAL, most = 0;
  for (const Line& line : chart.lines)
    for (const auto& [x, y] : line.points) {
      least = std::min(least, is_y ? y : x);
      most = std::max(most, is_y ? y : x);
    }
  if (most == 0) least = most = 1;
  const double room = is_y ? 0.12 : 0.02;  // of the range, at both ends
  const double low = std::log10(least), high = std::log10(most);
  const double beyond = std::max((high - low) * room, 0.05);
  return {low - beyond, high + beyond, from, to, true};
}

void draw_x_ticks(Drawing& to, const LineChart& chart, const Axis& axis, const Frame& plot) {
  constexpr int most_labels = 9;
  const double step = std::log10(chart.x_step);
  const int first = static_cast<int>(std::ceil(axis.least / step));
  const int last = static_cast<int>(std::floor(axis.most / step));
  const int every = std::max(1, (last - first + most_labels) / most_labels);
  for (int k = first; k <= last; ++k) {
    if ((k - first) % every != 0) continue;
    const double value = std::round(std::pow(chart.x_step, k));
    const double x = axis.place(value);
    to.line(x, plot.bottom, x, plot.bottom + 5, "#9aa5b1");
    to.text(x, plot.bottom + 19, chart.x_text(value), "text-anchor=\"middle\" font-size=\"11\"");
  }
}

void draw_line(Drawing& to, const Line& line, const Axis& x, const Axis& y, const char* colour) {
  std::string points;
  for (const auto& [at, value] : line.points)
    points += number(x.place(at)) + "," + number(y.place(value)) + " ";
  to.raw("<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + colour +
         "\" stroke-width=\"2\" stroke-linejoin=\"round\"/>");
  for (const auto& [at, value] : line.points)
    to.raw("<circle cx=\"" + number(x.place(at)) + "\" cy=\"" + number(y.place(value)) +
           "\" r=\"3\" fill=\"" + colour + "\"/>");
}

const char* colour_of(const std::vector<std::string>& names, const std::string& name) {
  const auto at = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  return colours[at % std::size(colours)];
}

void draw(Drawing& to, const LineChart& chart, const Frame& frame,
          const std::vector<std::string>& names) {
  const Frame plot = draw_panel(to, frame, chart.title, chart.x_title, chart.y_title);
  const Axis x = axis_of(chart, plot.left, plot.right, false);
  const Axis y = axis_of(chart, plot.bottom, plot.top, true);
  for (double tick : logarithmic_ticks(y)) draw_y_tick(to, plot, y.place(tick), chart.y_text(tick));
  draw_x_ticks(to, chart, x, plot);
  to.line(plot.left, plot.bottom, plot.right, plot.bottom, "#9aa5b1");
  for (const Line& line : chart.lines) draw_line(to, line, x, y, colour_of(names, line.name));
}

void draw(Drawing& to, const BarChart& chart, const Frame& frame) {
  const Frame plot = draw_panel(to, frame, chart.title, chart.x_title, chart.y_title);
  double most = 0;
  for (const auto& bar : chart.bars) most = std::max(most, bar.second);
  if (most == 0) most = 1;
  const Axis y = {0, most * 1.08, plot.bottom, plot.top, false};
  const double step = round_step(most);
  for (double tick = 0; tick <= y.most; tick += step)
    draw_y_tick(to, plot, y.place(tick), chart.y_text(tick));
  const double slot =
      (plot.right - plot.left) / static_cast<double>(std::max<size_t>(chart.bars.size(), 1));
  double x = plot.left;
  for (const auto& [name, value] : chart.bars) {
    to.rectangle(x + slot * 0.18, y.place(value), slot * 0.64, plot.bottom - y.place(value),
                 std::string("rx=\"2\" fill=\"") + colours[0] + "\"");
    const std::string place = number(x + slot / 2 + 4) + " " + number(plot.bottom + 15);
    to.raw("<text transform=\"translate(" + place + ") rotate(-35)\" text-anchor=\"end\" " +
           "font-size=\"11\">" + escaped(name) + "</text>");
    x += slot;
  }
  to.line(plot.left, plot.bottom, plot.right, plot.bottom, "#9aa5b1");
}

std::vector<std::string> names_of(const ChartPage& page) {
  std::vector<std::string> names;
  for (const LineChart& chart : page.lines)
    for (const Line& line : chart.lines)
      if (std::find(names.begin(), names.end(), line.name) == names.end())
        names.push_back(line.name);
  return names;
}

void draw_legend(Drawing& to, const std::vector<std::string>& names, double y) {
  double x = margin + 18;
  for (const std::string& name : names) {
    to.raw("<line x1=\"" + number(x) + "\" y1=\"" + number(y) + "\" x2=\"" + number(x + 24) +
           "\" y2=\"" + number(y) + "\" stroke=\"" + colour_of(names, name) +
           "\" stroke-width=\"2\"/>");
    to.raw("<circle cx=\"" + number(x + 12) + "\" cy=\"" + number(y) + "\" r=\"3\" fill=\"" +
           colour_of(names, name) + "\"/>");
    to.text(x + 32, y + 4, name, "font-size=\"13\"");
    x += 62 + 7.2 * static_cast<double>(name.size());
  }
}

}  // namespace

std::string to_svg(const ChartPage& page) {
  const size_t charts = page.lines.size() + page.bars.size();
  const double rows = std::ceil(static_cast<double>(charts) / 2);
  const double height = header + rows * (chart_height + gap) - gap + legend;
  const std::vector<std::string> names = names_of(page);
  Drawing to;
  to.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  to.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(page_width) +
         "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(page_width) + " " +
         number(height) + "\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#1f2933\">");
  to.raw("<title>" + escaped(page.title) + "</title>");
  to.rectangle(0, 0, page_width, height, "fill=\"#ffffff\"");
  to.text(margin, 42, page.title, "font-size=\"22\" font-weight=\"700\"");
  to.text(margin, 65, page.subtitle, "font-size=\"13\" fill=\"#52606d\"");
  size_t index = 0;
  for (const LineChart& chart : page.lines) draw(to, chart, frame_of(index++), names);
  for (const BarChart& chart : page.bars) draw(to, chart, frame_of(index++));
  draw_legend(to, names, height - legend / 2);
  to.raw("</svg>");
  return to.all();
}

}  // namespace cli
