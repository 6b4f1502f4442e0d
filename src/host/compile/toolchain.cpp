#include "host/compile/toolchain.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/process.hpp"
#include "core/scratch.hpp"
#include "core/settings.hpp"
#include "host/compile/machine.hpp"

namespace gpuarr::host {
namespace {

bool is_program(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

// How many functions of libmvec the loader would find: none, the six that glibc had before 2.35, or
// all. Text that calls one that is not there compiles, and then does not load.
int libmvec_level() {
  void* library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return 0;
  int level = 0;
  if (dlsym(library, "_ZGVbN4v_expf") != nullptr) level = 1;
  if (dlsym(library, "_ZGVbN4v_tanf") != nullptr) level = 2;
  dlclose(library);
  return level;
}

// A library that is built with a sanitizer has its kernels checked as well, which takes a compiler
// long where it optimises; what they call is in the process, so the linker cannot ask for it.
// Without -fexpensive-optimizations -O1 fuses no multiply and add, and kernels have other digits.
std::vector<std::string> sanitizer_flags() {
#if defined(__SANITIZE_ADDRESS__)
  return {"-O1", "-fexpensive-optimizations", "-fsanitize=address", "-Wl,-z,undefs"};
#elif defined(__SANITIZE_THREAD__)
  return {"-O1", "-fexpensive-optimizations", "-fsanitize=thread", "-Wl,-z,undefs"};
#else
  return {};
#endif
}

// README.md says why each is there.
std::vector<std::string> flags_for(Toolchain::Family family) {
  const int level = libmvec_level();
  std::vector<std::string> flags = {"-x",
                                    "c++",
                                    "-std=c++17",
                                    "-O3",
                                    "-march=native",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-ffp-contract=fast",
                                    "-fno-strict-aliasing",
                                    "-fno-exceptions",
                                    "-fno-rtti",
                                    "-fPIC",
                                    "-shared",
                                    "-nostdlib",
                                    "-Wl,-z,defs,-z,noseparate-code",
                                    "-pipe",
                                    "-w",
                                    "-fdiagnostics-color=never",
                                    "-fno-diagnostics-show-option",
                                    "-ftabstop=1",  // columns are bytes
                                    "-DGPUARR_LIBMVEC=" + std::to_string(level)};
  // AVX-512 from Ice Lake and Zen 4 on; those before lower their clock for it.
  if (cpu_features().find(" avx512_vbmi2") != std::string::npos)
    flags.emplace_back("-mprefer-vector-width=512");
  if (family == Toolchain::Family::gnu) {
    flags.insert(flags.end(),
                 {"-fno-diagnostics-show-caret", "-fno-isolate-erroneous-paths-dereference"});
    for (std::string& flag : sanitizer_flags()) flags.push_back(std::move(flag));
  } else {
    flags.insert(flags.end(), {"-fno-caret-diagnostics", "-ferror-limit=0", "-fno-integrated-as"});
    if (level > 0) flags.emplace_back("-fveclib=libmvec");
  }
  return flags;
}

std::string locate(const std::optional<std::string>& wanted, const std::string& path) {
  if (wanted) {
    if (auto found = find_program(*wanted, path)) return *found;
    fail(GPUARR_ERR_NO_COMPILER,
         "$GPUARR_CXX is \"{}\", which is not a program{}; set it to a g++ or clang++, or unset it",
         *wanted, wanted->find('/') == std::string::npos ? " in PATH (" + path + ")" : "");
  }
  for (const char* name : {"g++", "clang++", "c++"})
    if (auto found = find_program(name, path)) return *found;
  fail(GPUARR_ERR_NO_COMPILER,
       "kernels on the CPU device need a C++ compiler, and there is no g++, clang++ or c++ in PATH "
       "({}); install g++, or set $GPUARR_CXX to a compiler",
       path);
}

// The program behind a name that may be a link.
std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

// A compiler is known by its file, which takes microseconds; a program of another name, such as a
// wrapper, has to be run.
Toolchain probe(const std::optional<std::string>& wanted, const std::string& path) {
  Toolchain out;
  out.path = locate(wanted, path);
  const std::string real = real_path(out.path);
  std::string name = real.substr(real.rfind('/') + 1);
  if (name.find("g++") == std::string::npos && name.find("clang") == std::string::npos)
    name = version_of(out.path);
  if (name.find("clang") != std::string::npos) out.family = Toolchain::Family::clang;
  out.flags = flags_for(out.family);
  struct stat info = {};
  stat(real.c_str(), &info);
  out.identity =
      formatted("{}; {}, {} bytes of {}.{:09}; glibc {}; {};", name, real, info.st_size,
                info.st_mtim.tv_sec, info.st_mtim.tv_nsec, gnu_get_libc_version(), cpu_features());
  for (const std::string& flag : out.flags) out.identity += " " + flag;
  return out;
}

struct Known {
  ForkSafeMutex mutex;
  std::string environment;
  std::optional<Toolchain> toolchain;
};

Known& known() {
  static auto* instance = new Known;
  return *instance;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos)
    return is_program(name) ? std::optional(name) : std::nullopt;
  while (!path.empty()) {
    const size_t colon = path.find(':');
    std::string candidate = std::string(path.substr(0, colon)) + "/" + name;
    if (candidate.size() > name.size() + 1 && is_program(candidate)) return candidate;
    path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
  }
  return std::nullopt;
}

std::string version_of(const std::string& compiler) {
  const Outcome outcome = run_program({compiler, "--version"}, "", "/tmp");
  if (outcome.log.empty() || (outcome.status && *outcome.status != 0))
    fail(GPUARR_ERR_NO_COMPILER,
         "{} --version ended with {}: {}; set $GPUARR_CXX to another compiler", compiler,
         outcome.how(), outcome.log);
  return outcome.log.substr(0, outcome.log.find('\n'));
}

Toolchain find_toolchain() {
  const auto wanted = setting("GPUARR_CXX");
  const std::string path = program_path();
  const std::string environment = wanted.value_or("") + "\n" + path;
  std::lock_guard lock(known().mutex);
  if (!known().toolchain || known().environment != environment) {
    known().toolchain = probe(wanted, path);
    known().environment = environment;
  }
  return *known().toolchain;
}

}  // namespace gpuarr::host
