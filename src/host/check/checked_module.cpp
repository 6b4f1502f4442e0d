#include "host/check/checked_module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/tokens.hpp"
#include "host/compile/source_lines.hpp"
#include "host/read/type_name.hpp"

namespace gpuarr::host {
namespace {

bool may_be_address(const gpuarr_global& global) {
  constexpr std::string_view numbers[] = {
      "float",  "double",         "int",  "unsigned int", "short int",     "short unsigned int",
      "short",  "unsigned short", "char", "signed char",  "unsigned char", "bool",
      "float4", "float2",         "int2", "int4",         "uint2",         "uint4",
      "double2"};
  std::string type = type_name(global.type);
  if (type.ends_with(" const")) type.erase(type.size() - 6);
  return !is_one_of(type, numbers);
}

// A variable of the text around the user's, or one with which the compiler knows whether another
// has been constructed.
bool is_ours(const ModuleSymbol& variable) {
  constexpr std::string_view builtins[] = {"_ZL9threadIdx", "_ZL8blockIdx", "_ZL8blockDim",
                                           "_ZL7gridDim"};
  return variable.symbol.find("gpuarr_") != std::string::npos ||
         variable.symbol.starts_with("_ZGV") || is_one_of(variable.symbol, builtins);
}

// Between variables, so that what lies behind one is none.
bool is_gap(const ModuleSymbol& variable) { return variable.name.starts_with("gpuarr_gap_"); }

// Parts of the image that are mapped for reading only.
std::vector<Elf64_Phdr> constants_of(const std::string& image) {
  std::vector<Elf64_Phdr> out;
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  for (size_t k = 0; k < header.e_phnum; ++k) {
    Elf64_Phdr part;
    std::memcpy(&part, image.data() + header.e_phoff + k * sizeof part, sizeof part);
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) == 0) out.push_back(part);
  }
  return out;
}

}  // namespace

CheckedModule::CheckedModule(void* handle, Find find_checker, const std::string& image,
                             std::span<const gpuarr_global> globals)
    : handle_(handle),
      find_checker_(find_checker),
      checker_(find_checker()),
      image_(image),
      variables_(variables_of(image)),
      has_pointers_(std::ranges::any_of(globals, may_be_address)),
      allocates_(std::ranges::find(variables_, "gpuarr_allocates", &ModuleSymbol::name) !=
                 variables_.end()) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) base_ = map->l_addr;
}

std::shared_ptr<const CheckedModule> CheckedModule::find(void* handle, const std::string& image,
                                                         std::span<const gpuarr_global> globals) {
  const auto find_checker = reinterpret_cast<Find>(dlsym(handle, "gpuarr_module_checker"));
  if (find_checker == nullptr) return nullptr;
  return std::shared_ptr<const CheckedModule>(
      new CheckedModule(handle, find_checker, image, globals));
}

void CheckedModule::add_regions(Regions& regions) const {
  find_checker_();
  void* own = nullptr;
  dlinfo(handle_, RTLD_DI_TLS_DATA, &own);
  const auto of_thread = reinterpret_cast<uintptr_t>(own);
  for (const ModuleSymbol& v : variables_) {
    if (is_gap(v) || (v.of_thread && of_thread == 0)) continue;
    const uintptr_t begin = (v.of_thread ? of_thread : base_) + v.value;
    const auto kind = is_ours(v)    ? Region::Kind::own
                      : v.of_thread ? Region::Kind::shared
                                    : Region::Kind::variable;
    regions.add({kind, begin, begin + v.bytes, v.name, {}});
  }
  for (const Elf64_Phdr& part : constants_of(image_)) {
    const uintptr_t begin = base_ + part.p_vaddr;
    regions.add({Region::Kind::constant, begin, begin + part.p_memsz, "", {}});
  }
}

std::vector<std::string> CheckedModule::lines(const std::vector<const void*>& places) const {
  std::vector<uintptr_t> addresses;
  addresses.reserve(places.size());
  for (const void* place : places) addresses.push_back(reinterpret_cast<uintptr_t>(place) - base_);
  return source_lines(image_, addresses);
}

}  // namespace gpuarr::host
