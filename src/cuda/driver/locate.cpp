// Where NVRTC, CUDA's headers and its libraries are.
#include "cuda/driver/locate.hpp"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/library.hpp"
#include "core/settings.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

constexpr int oldest_nvrtc = 12;

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

void add_list(Strings& directories, const std::string& list) {
  for (size_t begin = 0; begin < list.size();) {
    size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) directories.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

Strings directories() {
  Strings found;
  if (auto conda = env("CONDA_PREFIX"))
    found = {*conda + "/lib", *conda + "/targets/x86_64-linux/lib",
             *conda + "/targets/sbsa-linux/lib"};
  if (auto list = env("LD_LIBRARY_PATH")) add_list(found, *list);
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = env(variable)) add_list(found, *root + "/lib64:" + *root + "/lib");
  for (const char* usual : {"/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu",
                            "/usr/lib/aarch64-linux-gnu", "/usr/lib64"})
    found.emplace_back(usual);
  return found;
}

// That of each of Python's environments that has it, else where one would.
void add_wheels(Strings& directories, const std::string& folder) {
  Strings roots;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (auto root = env(variable)) roots.push_back(*root);
  if (auto home = env("HOME")) roots.push_back(*home + "/.local");
  for (const char* usual : {"/usr/local", "/usr"}) roots.emplace_back(usual);
  for (const std::string& root : roots) {
    glob_t found{};
    const std::string pattern = formatted("{}/lib/python3*/*-packages/{}", root, folder);
    if (glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &found) == 0)
      directories.insert(directories.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
}

Strings sonames(int newest) {
  Strings names;
  for (int major = newest; major >= oldest_nvrtc; --major)
    names.push_back(formatted("libnvrtc.so.{}", major));
  return names;
}

std::string given_nvrtc(const std::string& name) {
  if (name.find('/') != std::string::npos && exists(name)) return name;
  std::string tried;
  if (Library library = open_library(name, tried)) return library.path;
  fail(GPUARR_ERR_NO_LIBRARY, "$GPUARR_NVRTC cannot be opened: {}", tried);
}

[[noreturn]] void fail_not_found(const Strings& names, const Strings& places,
                                 const std::string& tried) {
  fail(GPUARR_ERR_NO_LIBRARY,
       "NVRTC, the CUDA compiler library, was not found; install {}, or set $GPUARR_NVRTC to its "
       "file; looked in {} and asked the loader: {}",
       joined(names, " or "), joined(places), tried);
}

}  // namespace

std::string find_nvrtc(int newest) {
  if (auto wanted = setting("GPUARR_NVRTC")) return given_nvrtc(*wanted);
  Strings names = sonames(newest);
  for (const std::string& name : names)
    if (Library library = loaded_library(name)) return library.path;
  Strings places = directories();
  for (const std::string& place : places)
    for (const std::string& name : names)
      if (std::string path = formatted("{}/{}", place, name); exists(path)) return path;
  std::string tried;
  for (const std::string& name : names)
    if (Library library = open_library(name, tried)) return library.path;
  fail_not_found(names, places, tried);
}

Library open_toolkit(const ToolkitLibrary& wanted) {
  std::string tried;
  auto open_with_helpers = [&](const std::string& file, const Strings& helpers) {
    const auto folder = std::filesystem::path(file).parent_path();
    std::string ignored;  // one that is missing shows when the library itself does not open
    for (const std::string& helper : helpers)
      if (std::string beside = (folder / helper).string(); exists(beside))
        open_library(beside, ignored);
    return open_library(file, tried);
  };
  auto helpers_of = [&](size_t k) {
    return k < wanted.helpers.size() ? wanted.helpers[k] : Strings();
  };
  if (auto given = setting(wanted.setting)) {
    if (Library library = open_with_helpers(*given, helpers_of(0))) return library;
    fail(GPUARR_ERR_NO_LIBRARY, "${} cannot be opened: {}; it should be the file of {}",
         wanted.setting, tried, joined(wanted.sonames, " or "));
  }
  for (const std::string& name : wanted.sonames)
    if (Library library = loaded_library(name)) return library;
  Strings places = directories();
  if (wanted.wheel != nullptr) add_wheels(places, wanted.wheel);
  for (const std::string& place : places)
    for (size_t k = 0; k < wanted.sonames.size(); ++k)
      if (std::string path = formatted("{}/{}", place, wanted.sonames[k]); exists(path))
        if (Library library = open_with_helpers(path, helpers_of(k))) return library;
  for (const std::string& name : wanted.sonames)
    if (Library library = open_library(name, tried)) return library;
  fail(GPUARR_ERR_NO_LIBRARY,
       "{} ({}) was not found; install {}, or set ${} to its file; looked in {} and asked the "
       "loader: {}",
       wanted.title, joined(wanted.sonames, " or "), joined(wanted.packages, " or "),
       wanted.setting, joined(places), tried);
}

std::vector<std::string> find_headers(const std::string& nvrtc_file) {
  std::error_code error;
  auto real = std::filesystem::canonical(nvrtc_file, error);
  Strings places = {(real.parent_path().parent_path() / "include").string()};
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = env(variable)) places.push_back(*root + "/include");
  for (const char* usual : {"/usr/local/cuda/include", "/usr/include"}) places.emplace_back(usual);
  for (const std::string& place : places) {
    if (!exists(place + "/cuda_fp16.h")) continue;
    if (exists(place + "/cccl")) return {place, place + "/cccl"};
    return {place};
  }
  return {};
}

std::string find_program(const std::string& name, const std::string& nvrtc_file) {
  Strings places;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = env(variable)) places.push_back(*root + "/bin");
  std::error_code error;
  auto library = std::filesystem::canonical(nvrtc_file, error);
  if (!error) {
    auto root = library.parent_path().parent_path();
    if (root.parent_path().filename() == "targets") root = root.parent_path().parent_path();
    places.push_back((root / "bin").string());
  }
  places.emplace_back("/usr/local/cuda/bin");
  add_list(places, program_path());
  for (const std::string& place : places)
    if (std::string file = formatted("{}/{}", place, name); access(file.c_str(), X_OK) == 0)
      return file;
  fail(GPUARR_ERR_NO_LIBRARY,
       "{} of the CUDA toolkit was not found; install it, or set $CUDA_PATH; looked in {}", name,
       joined(places));
}

}  // namespace gpuarr::cuda
