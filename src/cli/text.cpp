// Numbers as people read them.
#include "text.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>

namespace cli {
namespace {

std::string print(const char* format, int digits, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, digits, value);
  return buffer;
}

}  // namespace

std::string bytes_text(int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return print("%.*f ", unit == 0 || value >= 100 ? 0 : 1, value) + units[unit];
}

std::string rounded(double value) {
  int digits = 3;
  if (value > 0) digits = 3 - static_cast<int>(std::floor(std::log10(value)));
  return print("%.*f", std::min(std::max(digits, 0), 12), value);
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

std::string time_text(double milliseconds) {
  if (milliseconds < 1) return rounded(milliseconds * 1e3) + " us";
  if (milliseconds < 1e3) return rounded(milliseconds) + " ms";
  return rounded(milliseconds * 1e-3) + " s";
}

std::string date_text(int64_t seconds_of_1970) {
  std::time_t seconds = seconds_of_1970;
  std::tm parts = {};
  char buffer[32];
  if (localtime_r(&seconds, &parts) == nullptr ||
      std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M", &parts) == 0)
    return "?";
  return buffer;
}

std::string count_text(int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace cli
