// Numbers as people read them.
#include "cli/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <utility>
#include <vector>

namespace cli {
namespace {

// How many letters are changed, put in, taken out or swapped with the next between two words.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> older, before(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    older = std::exchange(before, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row.back();
}

size_t shared(std::string_view a, std::string_view b) {  // letters at the beginning
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

std::string printed(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string meant(std::string_view word, std::span<const std::string_view> names) {
  std::string_view nearest;
  size_t least = std::min<size_t>(word.size() / 3 + 1, 3);  // more is another word
  for (std::string_view name : names)
    if (const size_t own = distance(word, name); own <= least && own < name.size()) {
      if (own == least && !nearest.empty() && shared(word, name) <= shared(word, nearest)) continue;
      least = own;
      nearest = name;
    }
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

std::string bytes_text(int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return printed(unit == 0 || value >= 100 ? "%.0f " : "%.1f ", value) + units[unit];
}

std::string rounded(double value) {
  int digits = 3;
  if (value > 0) digits = 3 - static_cast<int>(std::floor(std::log10(value)));
  const std::string format = "%." + std::to_string(std::clamp(digits, 0, 12)) + "f";
  return printed(format.c_str(), value);
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
