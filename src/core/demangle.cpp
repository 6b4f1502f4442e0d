#include "core/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gpuarr {

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return "";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && name ? name.get() : "";
}

}  // namespace gpuarr
