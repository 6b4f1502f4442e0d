// What the commands share when they print JSON.
#include "cli/json.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace cli {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json cache_json(const CacheFacts& cache) {
  return {{"directory", or_null(cache.directory)},
          {"entries", cache.entries},
          {"bytes", cache.bytes},
          {"limit", cache.limit},
          {"problem", or_null(cache.problem)}};
}

void print_json(const Json& value) {
  // Paths and settings need not be UTF-8; the output must be.
  std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  std::puts(text.c_str());
}

}  // namespace cli
