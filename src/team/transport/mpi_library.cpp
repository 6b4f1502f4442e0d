#include "team/transport/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cctype>
#include <memory>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/library.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"

namespace gpuarr::team {
namespace {

constexpr const char* mpich_family[] = {"MPICH", "Intel", "MVAPICH", "CRAY", "Cray"};

constexpr const char* known_by = "MPI_Get_library_version";  // of MPI 3 and newer

template <class F>
F* function(const MpiLibrary& library, const char* name) {
  return reinterpret_cast<F*>(library.find_optional(name));
}

std::string version_of(const MpiLibrary& library) {
  char text[8192] = "";  // what MPICH may need, which is the longest
  int length = 0;
  function<int(char*, int*)>(library, known_by)(text, &length);
  return text;
}

// MPICH 4.3 has the interface, but not yet the function.
bool has_standard_abi(const MpiLibrary& library) {
  if (library.path.find("/libmpi_abi.so") != std::string::npos) return true;
  auto* get = function<int(int*, int*)>(library, "MPI_Abi_get_version");
  int major = -1;  // which it stays where a library has the function, but another interface
  int minor = -1;
  return get != nullptr && get(&major, &minor) == 0 && major >= 1;
}

MpiAbi abi_of(const MpiLibrary& library, const std::string& version) {
  if (const auto wanted = setting("GPUARR_MPI_ABI"))
    return *wanted == "openmpi" ? MpiAbi::openmpi
           : *wanted == "mpich" ? MpiAbi::mpich
                                : MpiAbi::standard;
  if (has_standard_abi(library)) return MpiAbi::standard;
  if (library.find_optional("ompi_mpi_comm_world") != nullptr) return MpiAbi::openmpi;
  for (const char* family : mpich_family)
    if (version.find(family) != std::string::npos) return MpiAbi::mpich;
  fail(GPUARR_ERR_UNSUPPORTED,
       "the loaded MPI is {} ({}), whose binary interface is not known here; make a transport with "
       "gpuarr_mpi.h, or set $GPUARR_MPI_ABI if it has one of openmpi, mpich and standard",
       library.name, library.path);
}

// Not within dl_iterate_phdr(), whose lock dlopen() takes after another one.
std::vector<std::string> loaded_files() {
  std::vector<std::string> out;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* list) {
        if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
          static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
        return 0;
      },
      &out);
  return out;
}

// One that only those see who opened it, as Python does. Open MPI's parts must see it too.
void* hidden_handle() {
  for (const std::string& file : loaded_files()) {
    void* handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (dlsym(handle, known_by) != nullptr) return handle;
    dlclose(handle);
  }
  return nullptr;
}

std::string file_with(void* symbol) {
  Dl_info info = {};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "a program";
}

std::unique_ptr<MpiLibrary> found(void* handle) {
  auto library = std::make_unique<MpiLibrary>();
  library->handle = handle;
  library->path = file_with(library->find_optional(known_by));
  if (handle != nullptr) dlopen(library->path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  const std::string version = version_of(*library);
  library->name = mpi_name(version);
  library->abi = abi_of(*library, version);
  log(Topic::library, "MPI: {} ({})", library->name, library->path);
  return library;
}

std::unique_ptr<MpiLibrary> look_for_one() {
  if (dlsym(RTLD_DEFAULT, known_by) != nullptr) return found(nullptr);
  if (void* handle = hidden_handle()) return found(handle);
  return nullptr;
}

}  // namespace

void* MpiLibrary::find_optional(const char* symbol) const {
  return dlsym(handle != nullptr ? handle : RTLD_DEFAULT, symbol);
}

void* MpiLibrary::find(const char* symbol) const {
  if (void* address = find_optional(symbol)) return address;
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY, "{} ({}) has no {}; MPI 3 or newer is needed", name, path,
               symbol);
}

void MpiLibrary::fail(const char* function_name, int code) const {
  char text[512] = "";
  int length = 0;
  auto* describe = function<int(int, char*, int*)>(*this, "MPI_Error_string");
  if (describe == nullptr || describe(code, text, &length) != 0) length = 0;
  throw Error(GPUARR_ERR_PEER,
              formatted("{} failed: {} (code {} of {})", function_name,
                        length > 0 ? text : "MPI has no text for it", code, name),
              code);
}

const MpiLibrary* loaded_mpi() {
  static constinit std::atomic<MpiLibrary*> once{nullptr};
  if (MpiLibrary* known = once.load()) return known;
  std::unique_ptr<MpiLibrary> library = look_for_one();
  if (library == nullptr)
    if (const auto named = setting("GPUARR_MPI_LIB")) {
      std::string tried;
      if (!open_mpi(*named, tried))
        gpuarr::fail(GPUARR_ERR_NO_LIBRARY, "$GPUARR_MPI_LIB is no MPI that can be opened: {}",
                     tried);
      library = look_for_one();
    }
  if (library == nullptr) return nullptr;
  return &made_once(once, [&] { return std::move(library); });
}

const MpiLibrary& mpi_library() {
  if (const MpiLibrary* library = loaded_mpi()) return *library;
  gpuarr::fail(GPUARR_ERR_NO_LIBRARY,
               "no MPI is loaded in this process; link the program with a shared MPI library, or "
               "make a transport with gpuarr_mpi.h where MPI is a part of the program");
}

bool open_mpi(const std::string& name, std::string& tried) {
  const Library library = open_library(name, tried);
  if (!library) return false;
  if (library.symbol(known_by) == nullptr) {
    tried += (tried.empty() ? "" : "; ") + name + " (it has no " + known_by + ")";
    return false;
  }
  dlopen(library.path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  return true;
}

// Of each library the first line, up to the number: "Open MPI v4.1.4, package: ...", "MPICH
// Version:\t4.0.2", "Intel(R) MPI Library 2021.9 for Linux* OS".
std::string mpi_name(const std::string& version) {
  std::string out, word;
  for (char c : version.substr(0, version.find('\n')) + ' ') {
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ':' && c != ',') {
      word += c;
      continue;
    }
    if (word.size() > 1 && word[0] == 'v' && std::isdigit(static_cast<unsigned char>(word[1])) != 0)
      word.erase(0, 1);
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    const bool says_nothing = word == "Version" || word == "version" || word == "VERSION";
    if (!word.empty() && !says_nothing) out += (out.empty() ? "" : " ") + word;
    if (is_number) break;
    word.clear();
  }
  return out.empty() ? "an MPI without a name" : out;
}

}  // namespace gpuarr::team
