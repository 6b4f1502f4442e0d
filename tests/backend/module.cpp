// Loads what was compiled, and runs it.
#include <dlfcn.h>
#include <fcntl.h>

#include <csetjmp>
#include <cstring>

#include "backend/glue.cuh"
#include "backend/serial.hpp"
#include "core/error.hpp"
#include "core/scratch.hpp"

namespace gpuarr::serial {
namespace {

using Library = std::shared_ptr<void>;  // of dlopen()

Library load_library(const std::string& image) {
  const ScratchDirectory scratch(scratch_parents().front());
  const std::string path = formatted("{}/{:016x}.so", scratch.path(), random_word());
  if (!scratch || !File(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700)).write(image))
    fail(GPUARR_ERR_IO, "no file for {} bytes of compiled code", image.size());
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail(GPUARR_ERR_LOAD, "compiled code cannot be loaded: {}", dlerror());
  return {handle, dlclose};
}

// What assert() of a kernel comes to: out of it, for good.
struct Failure {
  std::jmp_buf landing;
  std::string words;
};
thread_local Failure* failure = nullptr;

[[noreturn]] void leave_kernel(const char* expression, const char* file, unsigned line) {
  failure->words = expression == nullptr
                       ? "the kernel called __trap()"
                       : formatted("assertion \"{}\" failed at {}:{}", expression, file, line);
  std::longjmp(failure->landing, 1);
}

using Body = void (*)(const void* parameters, long long first, long long last);

class SerialFunction final : public Function {
 public:
  SerialFunction(Body body, Library library) : body_(body), library_(std::move(library)) {}

  void launch(const LaunchShape& shape, const void* parameters, size_t /*bytes*/,
              Stream& /*stream*/) override {
    Failure own;
    failure = &own;
    if (_setjmp(own.landing) == 0) body_(parameters, 0, shape.blocks);
    if (!own.words.empty()) fail(GPUARR_ERR_ASSERT, "{}", own.words);
  }

 private:
  Body body_;
  Library library_;
};

class SerialModule final : public Module {
 public:
  explicit SerialModule(Library library) : library_(std::move(library)) {
    if (void* place = dlsym(library_.get(), "gpuarr_on_failure"))
      *static_cast<decltype(&leave_kernel)*>(place) = leave_kernel;
  }

  std::shared_ptr<Function> function(const std::string& name) override {
    void* symbol = dlsym(library_.get(), name.c_str());
    if (symbol == nullptr) fail(GPUARR_ERR_LOAD, "compiled code has no function \"{}\"", name);
    return std::make_shared<SerialFunction>(reinterpret_cast<Body>(symbol), library_);
  }

 private:
  Library library_;
};

class SerialRawFunction final : public RawFunction {
 public:
  SerialRawFunction(const gpuarr_serial::Kernel& kernel, Library library)
      : kernel_(kernel), library_(std::move(library)) {
    facts_.name = facts_.symbol = kernel.name;
    facts_.parameters.emplace();
    for (const auto* p = kernel.parameters; p->bytes > 0; ++p)
      facts_.parameters->push_back({p->offset, p->bytes, ""});
  }

  const RawFacts& facts() const override { return facts_; }

  void launch(const RawLaunch& launch, const void* arguments, size_t /*bytes*/,
              Stream& /*stream*/) override {
    if (launch.cooperative || launch.cluster.x > 0)
      fail(GPUARR_ERR_UNSUPPORTED, "\"{}\": the threads of the serial device share nothing",
           facts_.name);
    kernel_.run({{launch.grid.x, launch.grid.y, launch.grid.z},
                 {launch.block.x, launch.block.y, launch.block.z},
                 static_cast<const unsigned char*>(arguments)});
  }

 private:
  const gpuarr_serial::Kernel& kernel_;
  Library library_;
  RawFacts facts_;
};

class SerialRawModule final : public RawModule {
 public:
  SerialRawModule(const gpuarr_serial::Kernel* table, Library library)
      : table_(table), library_(std::move(library)) {}

  std::shared_ptr<RawFunction> function(const std::string& name) override {
    for (const auto* kernel = table_; kernel->name != nullptr; ++kernel)
      if (name == kernel->name) return std::make_shared<SerialRawFunction>(*kernel, library_);
    fail(GPUARR_ERR_NOT_FOUND, "the module has no kernel \"{}\"", name);
  }

  std::vector<std::string> kernels() override {
    std::vector<std::string> out;
    for (const auto* kernel = table_; kernel->name != nullptr; ++kernel)
      out.emplace_back(kernel->name);
    return out;
  }

 private:
  const gpuarr_serial::Kernel* table_;
  Library library_;
};

}  // namespace

std::shared_ptr<Module> load_module(const std::string& image) {
  return std::make_shared<SerialModule>(load_library(image));
}

std::shared_ptr<RawModule> load_raw_module(const std::string& image) {
  Library library = load_library(image);
  const void* table = dlsym(library.get(), "gpuarr_serial_kernels");
  if (table == nullptr) fail(GPUARR_ERR_LOAD, "compiled code has no table of kernels");
  return std::make_shared<SerialRawModule>(static_cast<const gpuarr_serial::Kernel*>(table),
                                           std::move(library));
}

}  // namespace gpuarr::serial
