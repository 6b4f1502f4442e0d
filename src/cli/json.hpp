// What the commands share when they print JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/facts.hpp"

namespace cli {

nlohmann::ordered_json or_null(const std::string& text);  // null for ""
nlohmann::ordered_json cache_json(const CacheFacts& cache);

/// Prints it indented, with a newline after it.
void print_json(const nlohmann::ordered_json& value);

}  // namespace cli
