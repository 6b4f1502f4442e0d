// From the library's last error to the command's message.
#include "error.hpp"

#include <string_view>

namespace cli {

std::string last_message() {
  std::string_view message = gpuarr_last_error();
  size_t colon = message.find(": ");
  bool named = message.starts_with("gpuarr_") && colon != std::string_view::npos &&
               message.find(' ') == colon + 1;
  return std::string(named ? message.substr(colon + 2) : message);
}

void check(gpuarr_status status) {
  if (status != GPUARR_OK) throw Failure(last_message());
}

}  // namespace cli
