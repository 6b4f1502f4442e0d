#include "device/standard.hpp"

#include <string_view>

namespace gpuarr {

std::string at_least_17(const std::string& option) {
  const size_t dashes = option.find_first_not_of('-');
  if (dashes != 1 && dashes != 2) return option;
  const std::string_view word = std::string_view(option).substr(dashes);
  for (const std::string_view name : {"std=c++", "std=gnu++"})
    for (const std::string_view old : {"98", "03", "0x", "11", "1y", "14"})
      if (word.starts_with(name) && word.substr(name.size()) == old)
        return option.substr(0, dashes + name.size()) + "17";
  return option;
}

std::vector<std::string> at_least_17(std::vector<std::string> options) {
  for (std::string& option : options) option = at_least_17(option);
  return options;
}

}  // namespace gpuarr
