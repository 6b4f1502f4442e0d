// Whole numbers on the command line.
#include "cli/base/numbers.hpp"

#include <charconv>

namespace cli {

std::optional<std::vector<int64_t>> parse_numbers(const std::string& text) {
  std::vector<int64_t> numbers;
  if (text.empty()) return numbers;
  const char* end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    int64_t number = 0;
    auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (rest != end && *rest != ',')) return std::nullopt;
    numbers.push_back(number);
    if (rest == end) return numbers;
    at = rest;
  }
}

std::optional<int64_t> parse_number(const std::string& text) {
  auto numbers = parse_numbers(text);
  if (!numbers || numbers->size() != 1) return std::nullopt;
  return numbers->front();
}

}  // namespace cli
