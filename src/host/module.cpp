#include "host/module.hpp"

#include <dlfcn.h>

#include <vector>

#include "core/error.hpp"
#include "host/image.hpp"
#include "host/stream.hpp"
#include "host/threads.hpp"

namespace gpuarr::host {
namespace {

class CompiledFunction final : public Function {
 public:
  explicit CompiledFunction(Body body) : body_(body) {}

  void launch(const LaunchShape& shape, const void* parameters, size_t bytes,
              Stream& stream) override {
    auto& own = static_cast<HostStream&>(stream);
    if (own.eager()) {
      parallel(body_, parameters, shape.blocks);
      return;
    }
    // As aligned as operator new makes it, which is enough for all that parameters hold.
    const auto* from = static_cast<const std::byte*>(parameters);
    own.submit("kernel", [body = body_, blocks = shape.blocks,
                          copy = std::vector<std::byte>(from, from + bytes)] {
      parallel(body, copy.data(), blocks);
    });
  }

 private:
  Body body_;
};

class HostModule final : public Module {
 public:
  explicit HostModule(void* handle) : handle_(handle) {}

  std::shared_ptr<Function> function(const std::string& name) override {
    void* symbol = dlsym(handle_, name.c_str());
    if (symbol == nullptr) fail(GPUARR_ERR_LOAD, "compiled code has no function \"{}\"", name);
    return std::make_shared<CompiledFunction>(reinterpret_cast<Body>(symbol));
  }

 private:
  void* handle_;
};

}  // namespace

std::shared_ptr<Module> load_module(const std::string& image) {
  return std::make_shared<HostModule>(open_image(image));
}

}  // namespace gpuarr::host
