// For the tests of how raw kernels run on the CPU: text with what stands before it, compiled for
// this machine. Kernels are marked KERNEL.
#pragma once

#include <dlfcn.h>

#include <cstring>
#include <string>

#include "check.hpp"
#include "codegen/raw/raw.hpp"
#include "host/compile/compiler.hpp"
#include "host/glue/glue.hpp"
#include "host/run/launch.hpp"
#include "temporary_directory.hpp"

namespace glue_test {

using gpuarr::host::run_raw;

/// Arguments, packed as a launch wants them.
class Arguments {
 public:
  template <class... A>
  explicit Arguments(const A&... values) {
    (add(values), ...);
  }
  const unsigned char* data() const { return bytes_; }

 private:
  template <class T>
  void add(const T& value) {
    at_ = (at_ + alignof(T) - 1) / alignof(T) * alignof(T);
    std::memcpy(bytes_ + at_, &value, sizeof value);
    at_ += sizeof value;
  }
  alignas(16) unsigned char bytes_[256] = {};
  size_t at_ = 0;
};

struct Shape {
  gpuarr_dim grid;
  gpuarr_dim block;
  unsigned shared = 0;
  bool cooperative = false;
};

inline Shape flat(unsigned grid, unsigned block) { return {{grid, 1, 1}, {block, 1, 1}}; }

class GlueModule {
 public:
  explicit GlueModule(const std::string& text) {
    const std::string start = gpuarr::host_environment(text).prelude +
                              "#define KERNEL inline __attribute__((always_inline))\n" +
                              gpuarr::host::glue_text() + "#line 1 \"source\"\n";
    const std::string path = directory_ / "built.so";
    write_file(path,
               gpuarr::host::compile_source({"glue", start + text, gpuarr::host::glue_flags()}));
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) check::report(__FILE__, __LINE__) << dlerror() << '\n';
    table_ = static_cast<const gpuarr_table*>(dlsym(handle, "gpuarr_module_table"));
  }

  const gpuarr_table& table() const { return *table_; }

  const gpuarr_kernel& kernel(const std::string& name) const {
    for (int i = 0; i < table_->kernel_count; ++i)
      if (name == table_->kernels[i].name) return table_->kernels[i];
    gpuarr::fail(GPUARR_ERR_NOT_FOUND, "no kernel {}", name);
  }

  template <class... A>
  void launch(const char* name, const Shape& shape, const A&... values) const {
    const Arguments arguments(values...);
    gpuarr_launch launch = {};
    launch.arguments = arguments.data();
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.shared_bytes = shape.shared;
    launch.cooperative = shape.cooperative ? 1 : 0;
    run_raw(kernel(name), launch);
  }

 private:
  TemporaryDirectory directory_;
  const gpuarr_table* table_ = nullptr;
};

}  // namespace glue_test
