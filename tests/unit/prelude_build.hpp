// For the tests of what goes before a kernel: text with a prelude, compiled for this machine.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "check.hpp"
#include "codegen/prelude/prelude.hpp"
#include "host/compile/compiler.hpp"
#include "temporary_directory.hpp"

namespace prelude_test {

inline gpuarr::PreludeNeeds all_needs() {
  gpuarr::PreludeNeeds needs;
  needs.half = needs.bfloat16 = needs.complex = needs.complex_math = true;
  needs.complex_inverse = needs.views = needs.intrinsics = needs.atomics = true;
  needs.limits = needs.rare_math = needs.assertions = needs.rounding = needs.vectors = true;
  needs.words = needs.memory = needs.rare_atomics = true;
  return needs;
}

/// Calls body(compiler) for each of g++ and clang++ that is here, with $GPUARR_CXX set to it.
template <class Body>
void for_each_compiler(const Body& body) {
  for (const char* compiler : {"g++", "clang++"}) {
    if (std::system((std::string("command -v ") + compiler + " >/dev/null").c_str()) != 0) continue;
    setenv("GPUARR_CXX", compiler, 1);
    body(std::string(compiler));
  }
  unsetenv("GPUARR_CXX");
}

/// Text behind a prelude, as the CPU device compiles it, in this process.
class Built {
 public:
  explicit Built(const std::string& text, const gpuarr::PreludeNeeds& needs = all_needs()) {
    const std::string path = directory_ / "built.so";
    write_file(path,
               gpuarr::host::compile_source({"built", gpuarr::host_prelude(needs) + text, {}}));
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) check::report(__FILE__, __LINE__) << dlerror() << '\n';
  }
  Built(const Built&) = delete;
  Built& operator=(const Built&) = delete;
  ~Built() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  template <class F>
  F* find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(handle_, name));
  }

 private:
  TemporaryDirectory directory_;
  void* handle_ = nullptr;
};

}  // namespace prelude_test
