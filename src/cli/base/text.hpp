// Numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cli {

std::string printed(const char* format, double value);  // as std::printf
std::string bytes_text(int64_t bytes);                  // "21.3 GiB"
std::string rounded(double value);                      // four significant digits: "0.2793", "4301"
std::string in_quotes(const std::string& text);         // in double quotes
std::string time_text(double milliseconds);             // "279.3 us", "1.204 ms", "3.100 s"
std::string date_text(int64_t seconds_of_1970);         // "2026-11-21 07:48", local time
std::string count_text(int64_t count, const std::string& noun);  // "1 file", "2 files"

/// "; did you mean X?" for the name that is nearest to a misspelt one; "" if none is near.
std::string meant(std::string_view word, std::span<const std::string_view> names);

}  // namespace cli
