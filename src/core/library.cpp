// Opening shared libraries.
#include "core/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include "core/log.hpp"

namespace gpuarr {
namespace {

// Another thread may have opened the library just before; the loader's lock puts that in order,
// which ThreadSanitizer does not see. Hence the attribute, and no call that it would look into.
__attribute__((no_sanitize("thread"))) std::string file_of(void* handle,
                                                           const std::string& otherwise) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return otherwise;
  std::string file;
  for (const char* c = map->l_name; *c != '\0'; ++c) file += *c;
  return file.empty() ? otherwise : file;
}

}  // namespace

void* Library::symbol(const char* name) const { return dlsym(handle, name); }

Library open_library(const std::string& name, std::string& tried) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) {
    Library library{handle, file_of(handle, name)};
    log(Topic::library, "opened {}", library.path);
    return library;
  }
  const char* said = dlerror();
  const std::string reason = said != nullptr ? said : "unknown";
  log(Topic::library, "{} cannot be opened: {}", name, reason);
  tried += (tried.empty() ? "" : "; ") + name + " (" + reason + ")";
  return {};
}

Library loaded_library(const std::string& soname) {
  void* handle = dlopen(soname.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) return {};
  return {handle, file_of(handle, soname)};
}

}  // namespace gpuarr
