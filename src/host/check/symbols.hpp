// The variables of a compiled module, by its symbol table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpuarr::host {

struct ModuleSymbol {
  std::string symbol;
  std::string name;    // as people call it: "tile"
  uint64_t value = 0;  // from the module's base; of a thread's own: from where those begin
  uint64_t bytes = 0;
  bool of_thread = false;
};

/// Variables that take up memory. Empty for what is no ELF image, or has no symbols.
std::vector<ModuleSymbol> variables_of(const std::string& image);

/// "k(float*)::tile" is tile.
std::string short_name(const std::string& symbol);

}  // namespace gpuarr::host
