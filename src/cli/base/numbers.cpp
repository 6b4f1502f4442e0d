// Whole numbers on the command line.
#include "cli/base/numbers.hpp"

#include <charconv>

#include "cli/base/command_line.hpp"
#include "cli/base/error.hpp"
#include "cli/base/text.hpp"

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

std::optional<int64_t> parse_count(const CommandLine& line, const std::string& option,
                                   const std::string& what) {
  const auto text = line.value(option);
  if (!text) return std::nullopt;
  const auto number = parse_number(*text);
  if (!number || *number < 0)
    throw UsageError(option + " is " + in_quotes(*text) + "; it is a number of " + what +
                     ", 0 or more");
  return number;
}

}  // namespace cli
