// Reading names out of cubins and PTX.
#include "cuda/compile/symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "core/demangle.hpp"
#include "core/text.hpp"
#include "device/image_kind.hpp"

namespace gpuarr::cuda {
namespace {

constexpr unsigned char entry_mark = 0x10;  // in st_other: STO_CUDA_ENTRY
constexpr const char* blanks = " \t\r\n";

Elf64_Shdr section(std::string_view code, const Elf64_Ehdr& header, uint64_t index) {
  Elf64_Shdr found{};
  if (index < header.e_shnum) read_image(code, header.e_shoff + index * header.e_shentsize, found);
  return found;
}

std::string_view text_at(std::string_view code, const Elf64_Shdr& strings, uint64_t at) {
  if (at >= strings.sh_size || strings.sh_offset > code.size()) return {};
  std::string_view rest = code.substr(strings.sh_offset, strings.sh_size);
  rest.remove_prefix(std::min<uint64_t>(at, rest.size()));
  return rest.substr(0, rest.find('\0'));
}

// Of the compiler's own making: texts for printf, the names that assert() prints, shared memory.
bool is_generated(std::string_view name) {
  return name.empty() || name.find('$') != name.npos || name.starts_with('.') ||
         name.starts_with("__unnamed") || name.starts_with("__nv_");
}

void add(std::vector<std::string>& names, std::string_view name) {
  if (!is_generated(name) && std::ranges::find(names, name) == names.end())
    names.emplace_back(name);
}

Symbols symbols_of_cubin(std::string_view code) {
  Symbols symbols;
  Elf64_Ehdr header;
  if (!read_image(code, 0, header)) return symbols;
  for (uint64_t s = 0; s < header.e_shnum; ++s) {
    Elf64_Shdr table = section(code, header, s);
    if (table.sh_type != SHT_SYMTAB) continue;
    Elf64_Shdr strings = section(code, header, table.sh_link);
    Elf64_Sym symbol;
    for (uint64_t at = 0; at + sizeof symbol <= table.sh_size; at += sizeof symbol) {
      if (!read_image(code, table.sh_offset + at, symbol)) break;
      if (symbol.st_shndx == SHN_UNDEF) continue;
      int type = ELF64_ST_TYPE(symbol.st_info);
      std::string_view name = text_at(code, strings, symbol.st_name);
      if (type == STT_FUNC && (symbol.st_other & entry_mark) != 0) add(symbols.kernels, name);
      if (type == STT_OBJECT) add(symbols.variables, name);
    }
  }
  return symbols;
}

// What stands in .nv.info.KERNEL: attributes of four bytes, and of more where the first one is 4.
// Those of a parameter: an index of four bytes, its number, its offset, and its size.
constexpr unsigned char sized_attribute = 4;
constexpr unsigned char parameter_info = 0x17;       // the size above other bits
constexpr unsigned char long_parameter_info = 0x45;  // from CUDA 13 on

struct ParameterInfo {
  uint32_t index;
  uint16_t number;
  uint16_t offset;
  uint32_t size;
};

// False where the code is not what it was known to be.
bool read_parameters_of(std::string_view attributes, std::vector<RawParameter>& parameters) {
  for (size_t at = 0; at + 4 <= attributes.size();) {
    const auto form = static_cast<unsigned char>(attributes[at]);
    const auto kind = static_cast<unsigned char>(attributes[at + 1]);
    uint16_t bytes = 0;
    if (form == sized_attribute) read_image(attributes, at + 2, bytes);
    ParameterInfo info{};
    if (form == sized_attribute && (kind == parameter_info || kind == long_parameter_info)) {
      if (!read_image(attributes, at + 4, info)) return false;
      if (info.number >= parameters.size()) parameters.resize(info.number + size_t{1});
      parameters[info.number] = {info.offset, kind == parameter_info ? info.size >> 18 : info.size,
                                 ""};
    }
    at += size_t{4} + bytes;
  }
  return std::ranges::all_of(parameters, [](const RawParameter& p) { return p.bytes > 0; });
}

std::string_view word_at(std::string_view text, size_t at) {
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  return text.substr(at, text.find_first_of(" \t\r\n([;={,", at) - at);
}

// ".global .align 4 .b8 name[16] = ...;": the first word that is no directive nor its number.
std::string_view variable_name(std::string_view text, size_t at) {
  for (;;) {
    std::string_view word = word_at(text, at);
    bool is_number = !word.empty() && word[0] >= '0' && word[0] <= '9';
    if (word.empty() || (word[0] != '.' && !is_number)) return word;
    at = static_cast<size_t>(word.data() - text.data()) + word.size();
    if (at < text.size() && text[at] == '(')
      at = std::min(text.find(')', at), text.size() - 1) + 1;  // .attribute(.managed)
  }
}

// Declarations begin a line, which nothing inside a kernel does with these words.
Symbols symbols_of_ptx(std::string_view text) {
  Symbols symbols;
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size());
    size_t at = line;
    std::string_view word = word_at(text.substr(0, end), at);
    bool is_extern = word == ".extern";
    if (is_extern || word == ".visible" || word == ".weak" || word == ".common") {
      at = static_cast<size_t>(word.data() - text.data()) + word.size();
      word = word_at(text.substr(0, end), at);
    }
    at = static_cast<size_t>(word.data() - text.data()) + word.size();
    if (word == ".entry") add(symbols.kernels, word_at(text, at));
    if (!is_extern && (word == ".global" || word == ".const"))
      add(symbols.variables, variable_name(text, at));
    line = end + 1;
  }
  return symbols;
}

// "(anonymous namespace)::" and the names that NVRTC and nvcc make of it and of the file's.
std::string without_file(std::string name) {
  for (std::string_view part : {"(anonymous namespace)::", "_GLOBAL__N_", "_INTERNAL_"})
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part, at)) {
      size_t end = name.find("::", at);
      if (end == std::string::npos) break;
      name.erase(at, end + 2 - at);
    }
  return name;
}

// The place of the bracket that the one at `close` closes; npos if there is none.
size_t opening(std::string_view name, size_t close, char open_with, char close_with) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (name[i] == close_with) ++depth;
    if (name[i] == open_with && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// Only templates have their return type before the name.
std::string without_return_type(const std::string& name) {
  size_t begin = 0;
  int depth = 0;
  size_t close = name.rfind(')');
  size_t end = close == std::string::npos ? name.size() : opening(name, close, '(', ')');
  for (size_t i = 0; i < std::min(end, name.size()); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
  }
  return name.substr(begin);
}

std::string_view without_parameters(std::string_view name) {
  size_t close = name.rfind(')');
  if (close == std::string_view::npos || close + 1 != name.size()) return name;
  return name.substr(0, opening(name, close, '(', ')'));
}

std::string_view without_template(std::string_view name) {
  return name.ends_with('>') ? name.substr(0, opening(name, name.size() - 1, '<', '>')) : name;
}

std::string without_blanks(std::string_view name) {
  std::string result;
  for (char c : name)
    if (std::strchr(blanks, c) == nullptr) result += c;
  return result;
}

Made made_of_cubin(std::string_view code) {
  Elf64_Ehdr header;
  if (!read_image(code, 0, header)) return {};
  // CUDA 13 has moved the number.
  unsigned number = header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 : header.e_flags;
  return {formatted("{}", number & 0xff), ""};
}

}  // namespace

Symbols read_symbols(std::string_view code) {
  const ImageKind kind = image_kind(code);
  if (kind == ImageKind::cubin) return symbols_of_cubin(code);
  return kind == ImageKind::ptx ? symbols_of_ptx(code) : Symbols{};
}

std::optional<std::vector<RawParameter>> read_parameters(std::string_view code,
                                                         const std::string& kernel) {
  Elf64_Ehdr header;
  if (image_kind(code) != ImageKind::cubin || !read_image(code, 0, header)) return std::nullopt;
  const Elf64_Shdr names = section(code, header, header.e_shstrndx);
  for (uint64_t s = 0; s < header.e_shnum; ++s) {
    const Elf64_Shdr found = section(code, header, s);
    if (text_at(code, names, found.sh_name) != ".nv.info." + kernel) continue;
    if (found.sh_offset > code.size()) return std::nullopt;
    std::vector<RawParameter> parameters;
    if (!read_parameters_of(code.substr(found.sh_offset, found.sh_size), parameters))
      return std::nullopt;
    return parameters;
  }
  return std::nullopt;
}

Made read_made(std::string_view code) {
  ImageKind kind = image_kind(code);
  if (kind == ImageKind::cubin) return made_of_cubin(code);
  if (kind != ImageKind::ptx) return {};
  Made made;
  if (size_t at = code.find(".version "); at != code.npos) made.ptx_version = word_at(code, at + 9);
  if (size_t at = code.find(".target sm_"); at != code.npos)
    made.processor = word_at(code, at + 11);
  return made;
}

std::string readable(const std::string& symbol) {
  const std::string name = demangled(symbol);
  return name.empty() ? symbol : without_return_type(without_file(name));
}

std::string short_name(const std::string& symbol) {
  return std::string(without_parameters(readable(symbol)));
}

bool is_called(const std::string& symbol, std::string_view name) {
  if (symbol == name) return true;
  std::string whole = without_blanks(readable(symbol));
  std::string wanted = without_blanks(name);
  std::string_view plain = without_parameters(whole);
  return wanted == whole || wanted == plain || wanted == without_template(plain);
}

}  // namespace gpuarr::cuda
