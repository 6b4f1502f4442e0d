// The names of a module's kernels and variables, and the kernels' parameters, read from its code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/raw.hpp"

namespace gpuarr::cuda {

struct Symbols {
  std::vector<std::string> kernels;
  std::vector<std::string> variables;
};

/// Of a whole cubin or PTX; of a fatbin there is nothing to be read.
Symbols read_symbols(std::string_view code);

/// A kernel's parameters as its cubin lays them out; nothing for PTX, a fatbin, or no such kernel.
std::optional<std::vector<RawParameter>> read_parameters(std::string_view code,
                                                         const std::string& kernel);

/// "90" of sm_90, with what follows it ("90a"), and the version of PTX, "9.0"; "" if it is not
/// known.
struct Made {
  std::string processor;
  std::string ptx_version;
};
Made read_made(std::string_view code);

/// A symbol as people write it: "ns::scale<float, 4>(float*)" for _ZN2ns5scale..., without the
/// return type and what compilers add to make names unique; itself if it is not C++'s.
std::string readable(const std::string& symbol);

/// The same without the parameters.
std::string short_name(const std::string& symbol);

/// Whether somebody who asks for `name` may mean the symbol: it is the symbol, or its name with or
/// without parameters and template arguments.
bool is_called(const std::string& symbol, std::string_view name);

}  // namespace gpuarr::cuda
