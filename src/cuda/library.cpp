// Opening shared libraries.
#include "cuda/library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace gpuarr::cuda {
namespace {

std::string file_of(void* handle, const std::string& otherwise) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || *map->l_name == '\0')
    return otherwise;
  return map->l_name;
}

}  // namespace

void* Library::symbol(const char* name) const { return dlsym(handle, name); }

Library open_library(const std::string& name, std::string& tried) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return {handle, file_of(handle, name)};
  const char* reason = dlerror();
  tried += (tried.empty() ? "" : "; ") + name + " (" + (reason ? reason : "unknown") + ")";
  return {};
}

Library loaded_library(const std::string& soname) {
  void* handle = dlopen(soname.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) return {};
  return {handle, file_of(handle, soname)};
}

}  // namespace gpuarr::cuda
