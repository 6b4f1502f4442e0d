// The serial device: everything is done at once, in the thread that asks for it.
#include <sys/sysinfo.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "backend/backend.hpp"
#include "backend/serial.hpp"
#include "core/error.hpp"

namespace gpuarr::serial {
namespace {

using Clock = std::chrono::steady_clock;

class SerialEvent final : public Event {
 public:
  using Event::Event;

  void synchronize() override {}
  bool query() override { return true; }
  double microseconds_since(Event& start) override {
    const Clock::duration passed = time_.load() - static_cast<SerialEvent&>(start).time_.load();
    return std::chrono::duration<double, std::micro>(passed).count();
  }
  void reach() { time_ = Clock::now(); }

 private:
  std::atomic<Clock::time_point> time_{};
};

class SerialStream final : public Stream {
 public:
  using Stream::Stream;

  void synchronize() override {}
  bool query() override { return true; }
  void record(Event& event) override {
    note_record(event);
    static_cast<SerialEvent&>(event).reach();
  }
  void wait(Event& event) override { event.synchronize(); }
  void call(HostFunction function, void* user) override { run_host_function(function, user); }
  bool eager() const override { return true; }
};

DeviceFacts find_facts() {
  DeviceFacts facts;
  facts.kind = kind;
  facts.name = "serial";
  facts.description = "one thread of the CPU";
  facts.clock = facts.name;
  facts.most_blocks = INT64_MAX;
  facts.host_memory = true;
  facts.ordered_launches = false;  // each is done by the thread that makes it
  return facts;
}

class SerialDevice final : public Device {
 public:
  SerialDevice() : Device(find_facts()) {}

  DeviceMemory memory() override {
    struct sysinfo info = {};
    sysinfo(&info);
    return {static_cast<int64_t>(info.freeram * info.mem_unit),
            static_cast<int64_t>(info.totalram * info.mem_unit)};
  }
  void* allocate(int64_t bytes, MemoryKind /*kind*/) override {
    return bytes <= memory().total ? std::aligned_alloc(512, (bytes + 511) / 512 * 512) : nullptr;
  }
  void deallocate(void* block, MemoryKind /*kind*/) noexcept override { std::free(block); }

  std::shared_ptr<Stream> create_stream(int /*priority*/, bool /*blocking*/) override {
    return std::make_shared<SerialStream>(*this, 0);
  }
  std::shared_ptr<Event> create_event(bool timed) override {
    return std::make_shared<SerialEvent>(*this, timed);
  }
  void synchronize() override {}

  void copy(void* target, const void* source, int64_t bytes, Stream& /*stream*/) override {
    std::memmove(target, source, static_cast<size_t>(bytes));
  }
  void clear(void* target, int64_t bytes, Stream& /*stream*/) override {
    std::memset(target, 0, static_cast<size_t>(bytes));
  }

  std::string compiler() override { return compiler_version(); }
  std::string compile_identity() override { return "serial; " + compiler_version(); }
  std::string target() override { return "any processor of this kind"; }
  std::string compile(const Source& source) override { return compile_source(source); }
  std::shared_ptr<Module> load(const std::string& image) override { return load_module(image); }
  std::string compile_raw(const RawSource& source) override { return compile_raw_source(source); }
  std::shared_ptr<RawModule> load_raw(const std::string& image) override {
    return load_raw_module(image);
  }
};

}  // namespace

Device& open_device(int /*ordinal*/) {
  static auto* device = new SerialDevice;
  return *device;
}

}  // namespace gpuarr::serial
