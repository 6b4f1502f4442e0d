#include "host/load/raw_module.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/tokens.hpp"
#include "device/device.hpp"
#include "device/image_kind.hpp"
#include "gpuarr/raw.h"
#include "host/check/checked_module.hpp"
#include "host/check/run_checked.hpp"
#include "host/glue/abi.cuh"
#include "host/load/image.hpp"
#include "host/read/type_name.hpp"
#include "host/run/launch.hpp"
#include "host/threads/stream.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

constexpr int most_threads = 1024;
// What a kernel may have on the largest GPUs so far; more would run nowhere else.
constexpr int64_t most_shared_bytes = int64_t{227} << 10;
// One processor does a block after another, so the block only has to be worth going to it for.
constexpr int good_block = 256;

gpuarr_dim dim_of(const Dim3& d) { return {d.x, d.y, d.z}; }

RawFacts facts_of(const gpuarr_kernel& kernel) {
  RawFacts out;
  out.name = out.symbol = kernel.name;
  out.parameters.emplace();
  for (int k = 0; k < kernel.parameter_count; ++k) {
    const gpuarr_parameter& p = kernel.parameters[k];
    out.parameters->push_back({p.offset, p.bytes, type_name(p.type)});
  }
  out.max_threads =
      kernel.max_threads > 0 ? std::min(kernel.max_threads, most_threads) : most_threads;
  out.max_dynamic_shared_bytes = most_shared_bytes;
  return out;
}

class HostRawFunction final : public RawFunction,
                              public std::enable_shared_from_this<HostRawFunction> {
 public:
  HostRawFunction(const gpuarr_kernel& kernel, std::shared_ptr<const Image> image,
                  std::shared_ptr<const CheckedModule> checked)
      : kernel_(kernel),
        facts_(facts_of(kernel)),
        image_(std::move(image)),
        checked_(std::move(checked)) {
    set_[GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES] = most_shared_bytes;
    set_[GPUARR_ATTRIBUTE_SHARED_CARVEOUT] = -1;
  }

  const RawFacts& facts() const override { return facts_; }

  void launch(const RawLaunch& launch, const void* arguments, size_t bytes,
              Stream& stream) override {
    if (launch.cluster.x > 0)
      fail(GPUARR_ERR_UNSUPPORTED, "the CPU device has no clusters; launch \"{}\" without",
           facts_.name);
    image_->keep();
    gpuarr_launch own = {};
    own.grid = dim_of(launch.grid);
    own.block = dim_of(launch.block);
    own.cluster = {1, 1, 1};
    own.shared_bytes = static_cast<unsigned>(launch.shared_bytes);
    own.cooperative = launch.cooperative ? 1 : 0;
    auto& queue = static_cast<HostStream&>(stream);
    if (queue.eager()) {
      own.arguments = static_cast<const unsigned char*>(arguments);
      run(own, launch, stream.device());
      return;
    }
    const auto* from = static_cast<const unsigned char*>(arguments);
    queue.submit(
        "kernel",
        [this, self = shared_from_this(), own, how = launch, device = &stream.device(),
         copy = std::vector<unsigned char>(from, from + bytes),
         arrays = std::vector<ArraySpan>(launch.arrays.begin(), launch.arrays.end())]() mutable {
          own.arguments = copy.data();
          how.arrays = arrays;
          run(own, how, *device);
        });
  }

  int64_t attribute(int32_t attribute) override {
    switch (attribute) {
      case GPUARR_ATTRIBUTE_MAX_THREADS:
        return facts_.max_threads;
      case GPUARR_ATTRIBUTE_SHARED_BYTES:
        return facts_.static_shared_bytes;
      default:
        return setting(attribute);
    }
  }

  void set_attribute(int32_t attribute, int64_t value) override {
    if (attribute == GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES && value > most_shared_bytes)
      fail(GPUARR_ERR_ARGUMENT, "kernel \"{}\" can have {} bytes of dynamic shared memory, not {}",
           facts_.name, most_shared_bytes, value);
    setting(attribute) = value;
  }

  // As many as a cooperative launch may have, for which alone it matters.
  int resident_blocks(int threads, int64_t shared_bytes) override {
    if (threads > facts_.max_threads || shared_bytes > most_shared_bytes) return 0;
    return static_cast<int>(std::max<int64_t>(most_blocks_together(threads) / thread_count(), 1));
  }

  int best_block(int64_t /*shared_bytes*/) override {
    return std::min(good_block, facts_.max_threads);
  }

 private:
  void run(const gpuarr_launch& own, const RawLaunch& launch, Device& device) const {
    if (checked_ != nullptr && launch.checks != 0)
      run_checked(kernel_, own, *checked_, launch, device);
    else
      run_raw(kernel_, own);
  }

  // Nothing here depends on them: they are kept to be read again.
  std::atomic<int64_t>& setting(int32_t attribute) {
    const auto index = static_cast<size_t>(attribute);
    if (attribute < 0 || index >= set_.size())
      fail(GPUARR_ERR_UNSUPPORTED, "attribute {} is not known", attribute);
    return set_[index];
  }

  const gpuarr_kernel& kernel_;
  RawFacts facts_;
  std::shared_ptr<const Image> image_;
  std::shared_ptr<const CheckedModule> checked_;  // null without checks
  std::array<std::atomic<int64_t>, GPUARR_ATTRIBUTE_CLUSTER_Z + 1> set_{};
};

std::string names_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "\"" : ", \"") + name + "\"";
  return out.empty() ? "it has none" : "it has " + out;
}

class HostRawModule final : public RawModule {
 public:
  HostRawModule(const gpuarr_table& table, std::shared_ptr<const Image> image,
                const std::string& bytes)
      : image_(std::move(image)),
        kernels_(table.kernels, static_cast<size_t>(table.kernel_count)),
        globals_(table.globals, static_cast<size_t>(table.global_count)),
        checked_(CheckedModule::find(image_->handle(), bytes, globals_)) {}

  std::shared_ptr<RawFunction> function(const std::string& name) override {
    const std::string wanted = squeezed(name);
    for (const gpuarr_kernel& kernel : kernels_)
      if (squeezed(kernel.name) == wanted)
        return std::make_shared<HostRawFunction>(kernel, image_, checked_);
    fail(GPUARR_ERR_NOT_FOUND,
         "the module has no kernel \"{}\"; {}; the CPU device has no overloaded kernels, and no "
         "templates that were not requested",
         name, names_of(kernels()));
  }

  RawGlobal global(const std::string& name) override {
    const std::string wanted = squeezed(name);
    std::vector<std::string> names;
    for (const gpuarr_global& global : globals_) {
      names.emplace_back(global.name);
      if (wanted != global.name) continue;
      std::string type = type_name(global.type);
      if (is_const(type))
        fail(GPUARR_ERR_UNSUPPORTED,
             "variable \"{}\" is a {}, which is read-only on the CPU device; declare it without "
             "const",
             name, type);
      image_->keep();
      return {global.address, global.bytes, std::move(type)};
    }
    fail(GPUARR_ERR_NOT_FOUND, "the module has no variable \"{}\"; {}", name, names_of(names));
  }

  std::vector<std::string> kernels() override {
    std::vector<std::string> out;
    for (const gpuarr_kernel& kernel : kernels_) out.emplace_back(kernel.name);
    return out;
  }

 private:
  std::shared_ptr<const Image> image_;
  std::span<const gpuarr_kernel> kernels_;
  std::span<const gpuarr_global> globals_;
  std::shared_ptr<const CheckedModule> checked_;  // null if it was compiled without checks
};

}  // namespace

std::shared_ptr<RawModule> load_raw_module(const std::string& image) {
  const ImageKind kind = image_kind(image);
  if (kind == ImageKind::ptx || kind == ImageKind::cubin || kind == ImageKind::fatbin)
    fail(GPUARR_ERR_UNSUPPORTED,
         "a {} runs on NVIDIA GPUs only; give the module's CUDA C++ source for the CPU device",
         kind == ImageKind::ptx     ? "PTX text"
         : kind == ImageKind::cubin ? "cubin"
                                    : "fatbin");
  auto loaded = std::make_shared<const Image>(image);
  const void* table = loaded->symbol("gpuarr_module_table");
  if (table == nullptr)
    fail(GPUARR_ERR_LOAD, "compiled code of {} bytes has no table of kernels", image.size());
  const auto& found = *static_cast<const gpuarr_table*>(table);
  if (found.version != gpuarr_abi_version)
    fail(GPUARR_ERR_LOAD, "compiled code has a table of version {}, and this library knows {}",
         found.version, gpuarr_abi_version);
  return std::make_shared<HostRawModule>(found, std::move(loaded), image);
}

}  // namespace gpuarr::host
