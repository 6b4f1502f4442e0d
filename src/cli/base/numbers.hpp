// Whole numbers on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

class CommandLine;

/// "8,4,-1": none for "", nothing for what is no list of numbers with commas in between.
std::optional<std::vector<int64_t>> parse_numbers(const std::string& text);

/// One number.
std::optional<int64_t> parse_number(const std::string& text);

/// An option's number of `what`, if the option is there. Throws a UsageError if it is below 0.
std::optional<int64_t> parse_count(const CommandLine& line, const std::string& option,
                                   const std::string& what);

}  // namespace cli
