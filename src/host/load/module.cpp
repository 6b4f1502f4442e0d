#include "host/load/module.hpp"

#include <csetjmp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "host/load/image.hpp"
#include "host/threads/stream.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

/// A launch of a kernel that may fail in the middle: what assert() in its text comes to.
struct Fallible {
  Body body;
  const void* parameters;
  std::mutex mutex;
  std::exception_ptr error;  // the first
};

struct Landing {
  Fallible* launch;
  std::jmp_buf place;
};
thread_local Landing* landing = nullptr;

// Out of a kernel, for good. Nothing on the stack of one needs a destructor.
[[noreturn]] void leave_kernel(const char* expression, const char* file, unsigned line) {
  Fallible& launch = *landing->launch;
  {
    std::lock_guard lock(launch.mutex);
    try {
      if (launch.error == nullptr && expression == nullptr)
        fail(GPUARR_ERR_ASSERT, "the kernel called __trap()");
      if (launch.error == nullptr)
        fail(GPUARR_ERR_ASSERT, "assertion \"{}\" failed at {}:{}", expression, file, line);
    } catch (...) {
      launch.error = std::current_exception();
    }
  }
  std::longjmp(landing->place, 1);
}

void run_fallible(const void* context, long long first, long long last) {
  auto& launch = *static_cast<Fallible*>(const_cast<void*>(context));
  Landing own{&launch, {}};
  Landing* const before = std::exchange(landing, &own);
  if (_setjmp(own.place) == 0) launch.body(launch.parameters, first, last);
  landing = before;
}

void run_kernel(Body body, bool fallible, const void* parameters, int64_t blocks) {
  if (!fallible) return parallel(body, parameters, blocks);
  Fallible launch{body, parameters, {}, nullptr};
  parallel(run_fallible, &launch, blocks);
  if (launch.error) std::rethrow_exception(launch.error);
}

class CompiledFunction final : public Function {
 public:
  CompiledFunction(Body body, bool fallible, std::shared_ptr<const Image> image)
      : body_(body), fallible_(fallible), image_(std::move(image)) {}

  void launch(const LaunchShape& shape, const void* parameters, size_t bytes,
              Stream& stream) override {
    image_->keep();
    auto& own = static_cast<HostStream&>(stream);
    if (own.eager()) {
      run_kernel(body_, fallible_, parameters, shape.blocks);
      return;
    }
    // As aligned as operator new makes it, which is enough for all that parameters hold.
    const auto* from = static_cast<const std::byte*>(parameters);
    own.submit("kernel", [body = body_, fallible = fallible_, blocks = shape.blocks,
                          copy = std::vector<std::byte>(from, from + bytes)] {
      run_kernel(body, fallible, copy.data(), blocks);
    });
  }

 private:
  Body body_;
  bool fallible_;
  std::shared_ptr<const Image> image_;
};

class HostModule final : public Module {
 public:
  explicit HostModule(const std::string& image) : image_(std::make_shared<Image>(image)) {
    if (void* place = image_->symbol("gpuarr_on_failure")) {
      *static_cast<decltype(&leave_kernel)*>(place) = leave_kernel;
      fallible_ = true;
    }
  }

  std::shared_ptr<Function> function(const std::string& name) override {
    void* symbol = image_->symbol(name.c_str());
    if (symbol == nullptr) fail(GPUARR_ERR_LOAD, "compiled code has no function \"{}\"", name);
    return std::make_shared<CompiledFunction>(reinterpret_cast<Body>(symbol), fallible_, image_);
  }

 private:
  std::shared_ptr<const Image> image_;
  bool fallible_ = false;
};

}  // namespace

std::shared_ptr<Module> load_module(const std::string& image) {
  return std::make_shared<HostModule>(image);
}

}  // namespace gpuarr::host
