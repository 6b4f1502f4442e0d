// For the tests of the CUDA backend: the stand-in for the driver, and processes of their own.
#pragma once

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "check.hpp"
#include "fake_cuda.h"

namespace fake {

/// Ends a program that was started by hand without the stand-in.
inline void require() {
  if (std::getenv("GPUARR_LIBCUDA") != nullptr) return;
  std::cerr << "skipped: set GPUARR_LIBCUDA to libfake_cuda.so\n";
  std::exit(77);
}

inline std::string file() {
  const char* path = std::getenv("GPUARR_LIBCUDA");
  return path != nullptr ? path : "";
}

/// A function of the stand-in, which $GPUARR_LIBCUDA names.
template <class F>
F* hook(const char* name) {
  void* library = dlopen(file().c_str(), RTLD_NOW);
  return reinterpret_cast<F*>(dlsym(library, name));
}

inline fake_launch last_launch() {
  return hook<fake_cuda_last_launch_fn>("fake_cuda_last_launch")();
}
inline int64_t calls(const char* name) { return hook<fake_cuda_calls_fn>("fake_cuda_calls")(name); }
inline int64_t live() { return hook<fake_cuda_live_fn>("fake_cuda_live")(); }

/// An environment variable, for as long as the object lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() {
    if (before_.empty())
      unsetenv(name_);
    else
      setenv(name_, before_.c_str(), 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::string before_;
};

/// Runs checks in a forked process, since a process opens the driver once. One that hangs for 20
/// seconds fails.
template <class Body>
void in_child(const char* what, Body&& body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    check::failures = 0;
    body();
    std::exit(check::result());
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) check::report(what, 0) << "failed with wait status " << status << '\n';
}

}  // namespace fake
