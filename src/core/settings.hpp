// The library's own variables of the environment: one table of them, and one way to read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpuarr {

struct Setting {
  const char* name;
  const char* meaning;
  const char* otherwise;  // what holds where it is not set
  const char* right;      // what it should be, to end a message
  bool (*accepts)(const std::string& value);
};

std::span<const Setting> settings();

/// A valid value of one of them; nothing if it is unset, empty, or the process is privileged().
/// Fails with GPUARR_ERR_ARGUMENT for an invalid one.
std::optional<std::string> setting(std::string_view name);

/// Tells what setting() would fail for, where nothing may fail.
void warn_of_setting(std::string_view name) noexcept;

/// Fails as setting() does if there is any that setting() fails for.
void check_settings();

/// What is wrong with a value, naming the variable; "" if nothing is.
std::string setting_problem(const Setting& setting, const std::string& value);

/// The values that settings have. Nothing if the text is none.
std::optional<int64_t> parse_bytes(std::string_view text);   // "512MiB", "8GiB", "1000"
std::optional<double> parse_part(std::string_view text);     // "62.5%" as 0.625; above 0 to 1
std::optional<double> parse_seconds(std::string_view text);  // "0.5"; 0 to a year
std::optional<int> parse_threads(std::string_view text);     // 1 to 1024
std::optional<int> parse_checks(std::string_view text);      // "memory,race": GPUARR_CHECK_...
constexpr int check_team = 256;                              // "team", which is none of these
bool is_time_limit(double seconds) noexcept;                 // 0 to a year
bool is_tracking(std::string_view text) noexcept;            // "track", "track:FILE"

}  // namespace gpuarr
