#include "host/check/symbols.hpp"

#include <elf.h>

#include <cstring>

#include "core/demangle.hpp"

namespace gpuarr::host {
namespace {

// The image was made here, and the loader took it: what does not fit is left out.
template <class T>
std::vector<T> read_array(const std::string& image, uint64_t offset, uint64_t bytes) {
  std::vector<T> out;
  if (offset > image.size() || bytes > image.size() - offset) return out;
  out.resize(bytes / sizeof(T));
  std::memcpy(out.data(), image.data() + offset, out.size() * sizeof(T));
  return out;
}

struct Symbols {
  std::vector<Elf64_Sym> list;
  std::string names;

  std::string name(const Elf64_Sym& symbol) const {
    return symbol.st_name < names.size() ? names.c_str() + symbol.st_name : "";
  }
};

Symbols symbols_of(const std::string& image) {
  Symbols out;
  const auto header = read_array<Elf64_Ehdr>(image, 0, sizeof(Elf64_Ehdr));
  if (header.empty()) return out;
  const auto sections =
      read_array<Elf64_Shdr>(image, header[0].e_shoff, header[0].e_shnum * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    out.list = read_array<Elf64_Sym>(image, section.sh_offset, section.sh_size);
    const Elf64_Shdr& names = sections[section.sh_link];
    const auto bytes = read_array<char>(image, names.sh_offset, names.sh_size);
    out.names.assign(bytes.begin(), bytes.end());
  }
  return out;
}

}  // namespace

std::string short_name(const std::string& symbol) {
  std::string name = demangled(symbol);
  if (name.empty()) name = symbol;
  if (const size_t colons = name.rfind("::"); colons != std::string::npos)
    name.erase(0, colons + 2);
  return name.substr(0, name.find_first_of(".[ "));
}

std::vector<ModuleSymbol> variables_of(const std::string& image) {
  const Symbols symbols = symbols_of(image);
  std::vector<ModuleSymbol> out;
  for (const Elf64_Sym& symbol : symbols.list) {
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_OBJECT && type != STT_TLS) || symbol.st_size == 0 ||
        symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE)
      continue;
    const std::string name = symbols.name(symbol);
    out.push_back({name, short_name(name), symbol.st_value, symbol.st_size, type == STT_TLS});
  }
  return out;
}

}  // namespace gpuarr::host
