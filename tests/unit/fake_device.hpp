// A device for tests: it keeps no memory and runs no work, but knows what every stream has seen.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/capture.hpp"
#include "device/device.hpp"
#include "device/pool.hpp"

using namespace gpuarr;

// How much work of each stream is known to be done: by stream id.
using Seen = std::map<uint64_t, uint64_t>;

inline void join(Seen& seen, const Seen& other) {
  for (auto [id, work] : other)
    if (seen[id] < work) seen[id] = work;
}

struct FakeEvent : Event {
  using Event::Event;
  void synchronize() override {}
  bool query() override { return true; }
  double microseconds_since(Event&) override { return 0; }
  Seen seen;
};

struct FakeStream : Stream {
  FakeStream(Device& device, std::atomic<int>& alive) : Stream(device, 0), alive_(alive) {
    ++alive_;
  }
  ~FakeStream() override { --alive_; }
  void synchronize() override {}
  bool query() override { return true; }
  void let_wait(Stream& other) override {
    if (on_let_wait) on_let_wait();
    Stream::let_wait(other);
  }
  void record(Event& event) override {
    if (on_record) on_record();
    std::lock_guard lock(mutex);
    ++records;
    static_cast<FakeEvent&>(event).seen = seen;
  }
  void wait(Event& event) override {
    std::lock_guard lock(mutex);
    if (fail_waits) fail(GPUARR_ERR_DRIVER, "the wait failed");
    ++waits;
    join(seen, static_cast<FakeEvent&>(event).seen);
  }
  void call(HostFunction function, void* user) override { run_host_function(function, user); }

  uint64_t work() {  // gives the stream some work; its number
    std::lock_guard lock(mutex);
    return ++seen[id()];
  }

  std::mutex mutex;
  Seen seen;
  int records = 0;
  int waits = 0;
  bool fail_waits = false;
  bool fail_captures = false;
  std::function<void()> on_let_wait;
  std::function<void()> on_record;

 protected:
  std::shared_ptr<Capture> start_capture() override {
    if (fail_captures) fail(GPUARR_ERR_DRIVER, "the capture failed");
    return std::make_shared<Capture>(*this);
  }
  std::shared_ptr<Graph> finish_capture(Capture&) override { return nullptr; }

 private:
  std::atomic<int>& alive_;
};

struct FakeModule : Module {
  explicit FakeModule(std::string its_image) : image(std::move(its_image)) {}
  std::shared_ptr<Function> function(const std::string&) override { return nullptr; }
  std::string image;
};

class FakeDevice : public Device {
 public:
  static constexpr int64_t block = int64_t{2} << 20;
  static constexpr uintptr_t base = 0x100000000;  // an address that nothing dereferences

  explicit FakeDevice(int64_t blocks = 32) : Device(facts()), taken_(static_cast<size_t>(blocks)) {}

  DeviceMemory memory() override {
    std::lock_guard lock(mutex);
    int64_t free = 0;
    for (int64_t size : taken_) free += size == 0 ? block : 0;
    return {free, static_cast<int64_t>(taken_.size()) * block};
  }
  // First fit, so that addresses come back and blocks touch each other.
  void* allocate(int64_t bytes, MemoryKind) override {
    std::lock_guard lock(mutex);
    ++allocations;
    if (bytes % block != 0) fail(GPUARR_ERR_INTERNAL, "{} bytes were asked for", bytes);
    if (bytes / block > static_cast<int64_t>(taken_.size())) return nullptr;
    auto count = static_cast<size_t>(bytes / block);
    for (size_t first = 0; first + count <= taken_.size(); ++first) {
      bool free = true;
      for (size_t i = 0; i < count; ++i) free = free && taken_[first + i] == 0;
      if (!free) continue;
      for (size_t i = 0; i < count; ++i) taken_[first + i] = i == 0 ? bytes : -1;
      return reinterpret_cast<void*>(base + first * static_cast<size_t>(block));
    }
    return nullptr;
  }
  void deallocate(void* data, MemoryKind) noexcept override {
    std::lock_guard lock(mutex);
    ++frees;
    auto first = (reinterpret_cast<uintptr_t>(data) - base) / static_cast<uintptr_t>(block);
    auto count = static_cast<size_t>(taken_[first] / block);
    for (size_t i = 0; i < count; ++i) taken_[first + i] = 0;
  }
  std::shared_ptr<Stream> create_stream(int, bool = false) override {
    return std::make_shared<FakeStream>(*this, streams_alive);
  }
  std::shared_ptr<Event> create_event(bool timed = true) override {
    ++events;
    return std::make_shared<FakeEvent>(*this, timed);
  }
  void synchronize() override {
    ++synchronizations;
    if (fail_synchronize) fail(GPUARR_ERR_DRIVER, "the device is lost");
    if (on_synchronize) on_synchronize();
  }
  void copy(void*, const void*, int64_t, Stream&) override {}
  void clear(void*, int64_t, Stream&) override {}
  std::string compiler() override { return "fake"; }
  std::string compile_identity() override { return identity; }
  std::string target() override { return "fake_90"; }
  std::string compile(const Source& source) override {
    ++compiles;
    if (on_compile) on_compile(source);
    return "image of " + source.text;
  }
  std::shared_ptr<Module> load(const std::string& image) override {
    ++loads;
    if (on_load) on_load(image);
    return std::make_shared<FakeModule>(image);
  }

  std::shared_ptr<FakeStream> stream() {
    return std::static_pointer_cast<FakeStream>(create_stream(0));
  }

  std::mutex mutex;
  std::atomic<int> allocations{0}, frees{0}, events{0}, synchronizations{0}, streams_alive{0};
  std::atomic<int> compiles{0}, loads{0};
  std::atomic<bool> fail_synchronize{false};
  std::function<void()> on_synchronize;
  std::function<void(const Source&)> on_compile;
  std::function<void(const std::string&)> on_load;
  std::string identity = "fake compiler 1";

 private:
  static DeviceFacts facts() {
    DeviceFacts facts;
    facts.kind = 2;
    facts.name = "fake:0";
    return facts;
  }

  std::vector<int64_t> taken_;  // by block: 0 free, bytes of what starts there, -1 goes on
};
