// The CPU as a device.
#include "device/device.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/stream_table.hpp"
#include "gpuarr/device.h"
#include "gpuarr/kernel.h"
#include "host/backend.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/listing.hpp"
#include "host/compile/machine.hpp"
#include "host/compile/raw_compiler.hpp"
#include "host/compile/toolchain.hpp"
#include "host/glue/glue.hpp"
#include "host/load/module.hpp"
#include "host/load/raw_module.hpp"
#include "host/loops/builtin.hpp"
#include "host/math/blas.hpp"
#include "host/math/solver.hpp"
#include "host/threads/stream.hpp"
#include "host/threads/threads.hpp"
#include "host/translate/translate.hpp"

namespace gpuarr::host {
namespace {

constexpr int64_t alignment = 512;
constexpr int64_t huge_page = int64_t{2} << 20;

DeviceFacts find_facts() {
  DeviceFacts facts;
  facts.kind = GPUARR_DEVICE_HOST;
  facts.name = "host";
  facts.description = cpu_model();
  facts.processors = thread_count();
  facts.l2_bytes = last_cache_bytes();
  facts.clock = facts.name;
  facts.most_blocks = INT64_MAX;
  facts.host_memory = true;
  facts.ordered_launches = false;
  // Checked kernels find what lies behind an array's end, so that must not be another one.
  facts.memory_gap = 64;
  return facts;
}

struct Bytes {
  std::byte* target;
  const std::byte* source;
  int64_t size;
  static constexpr int64_t block = int64_t{1} << 20;
};

void copy_byte_blocks(const void* context, long long first, long long last) {
  const auto& bytes = *static_cast<const Bytes*>(context);
  const int64_t begin = first * Bytes::block;
  const int64_t end = std::min<int64_t>(last * Bytes::block, bytes.size);
  std::memcpy(bytes.target + begin, bytes.source + begin, static_cast<size_t>(end - begin));
}

void copy_bytes(void* target, const void* source, int64_t size) {
  Bytes bytes{static_cast<std::byte*>(target), static_cast<const std::byte*>(source), size};
  if (bytes.target < bytes.source + size && bytes.source < bytes.target + size)
    std::memmove(target, source, static_cast<size_t>(size));
  else
    parallel(copy_byte_blocks, &bytes, (size + Bytes::block - 1) / Bytes::block);
}

class HostDevice final : public Device {
 public:
  HostDevice() : Device(find_facts()) {}

  DeviceMemory memory() override { return machine_memory(); }
  void share(int processes) override { share_cpus(processes); }

  void* allocate(int64_t bytes, MemoryKind /*kind*/) override {
    if (bytes <= 0 || bytes > largest_block()) return nullptr;
    const int64_t unit = bytes < 4 * huge_page ? alignment : huge_page;
    const auto size = static_cast<size_t>((bytes + unit - 1) / unit * unit);
    void* block = std::aligned_alloc(static_cast<size_t>(unit), size);
    if (block != nullptr && unit == huge_page) madvise(block, size, MADV_HUGEPAGE);
    return block;
  }

  void deallocate(void* block, MemoryKind /*kind*/) noexcept override { std::free(block); }

  std::shared_ptr<Stream> create_stream(int priority, bool /*blocking*/) override {
    auto stream = std::make_shared<HostStream>(*this, std::clamp(priority, 0, 0), table_);
    table_.add(stream);
    if (!stream->eager()) {
      std::lock_guard lock(mutex_);
      std::erase_if(streams_, [](const auto& s) { return s.expired(); });
      streams_.push_back(stream);
    }
    return stream;
  }

  std::shared_ptr<Stream> borrow_stream(void* native) override {
    if (native == nullptr) return own_stream().shared_from_this();
    if (auto stream = table_.find(native)) return stream;
    fail(GPUARR_ERR_ARGUMENT,
         "native is not a stream of {}; give the result of gpuarr_stream_native for a live stream",
         facts().name);
  }

  std::shared_ptr<Event> create_event(bool timed) override {
    return std::make_shared<HostEvent>(*this, timed);
  }

  void synchronize() override {
    std::vector<std::weak_ptr<Stream>> streams;
    {
      std::lock_guard lock(mutex_);
      streams = streams_;
    }
    for (const auto& weak : streams)
      if (auto stream = weak.lock()) static_cast<HostStream&>(*stream).finish();
  }

  void copy(void* target, const void* source, int64_t bytes, Stream& stream) override {
    static_cast<HostStream&>(stream).submit("copy", [=] { copy_bytes(target, source, bytes); });
  }

  void clear(void* target, int64_t bytes, Stream& stream) override {
    static_cast<HostStream&>(stream).submit(
        "loop", [=] { std::memset(target, 0, static_cast<size_t>(bytes)); });
  }

  std::string compiler() override {
    const std::string path = find_toolchain().path;
    return formatted("{} ({})", version_of(path), path);
  }

  // What becomes of raw modules' text may change while the library's version stays.
  std::string compile_identity() override {
    static const size_t glue =
        std::hash<std::string>()(glue_text(GPUARR_CHECK_SYNC) + division_text());
    return formatted("{}; glue {:016x}, translation {}", find_toolchain().identity, glue,
                     translation_version);
  }

  std::string target() override { return architecture() + ", " + cpu_model(); }

  std::string compile(const Source& source) override { return compile_source(source); }

  std::shared_ptr<Module> load(const std::string& image) override { return load_module(image); }

  std::string compile_raw(const RawSource& source) override { return compile_raw_source(source); }

  std::shared_ptr<RawModule> load_raw(const std::string& image) override {
    return load_raw_module(image);
  }

  std::string list(Listing listing, const RawSource* /*source*/,
                   const std::string& image) override {
    return list_image(listing, image);
  }

  bool run(const Builtin& builtin, Stream& stream) override {
    auto& own = static_cast<HostStream&>(stream);
    if (own.eager())
      run_builtin(builtin);
    else
      own.submit("loop", [builtin] { run_builtin(builtin); });
    return true;
  }

  Blas& blas() override { return host_blas(); }

  Solver& solver() override { return host_solver(); }

 private:
  ForkSafeMutex mutex_;
  StreamTable table_;
  std::vector<std::weak_ptr<Stream>> streams_;  // those that are not eager
};

}  // namespace

Device& open_device(int ordinal) {
  static auto* device = new HostDevice;
  if (ordinal != 0) fail(GPUARR_ERR_NO_DEVICE, "there is one CPU device, not host:{}", ordinal);
  return *device;
}

std::string compile_raw(const std::string& architecture, const RawSource& source) {
  if (architecture != "host")
    fail(GPUARR_ERR_UNSUPPORTED, "target is \"{}\"; the CPU is \"host\"", architecture);
  return compile_raw_source(source);
}

}  // namespace gpuarr::host
