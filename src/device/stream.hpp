// Streams and events, as every backend has them, and each thread's current streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace gpuarr {

class Device;
class Event;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(Device& device, int priority);
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual void synchronize() = 0;
  virtual bool query() = 0;
  virtual void record(Event& event) = 0;  // an event of the same device
  virtual void wait(Event& event) = 0;    // an event of any device
  virtual void* native() const = 0;
  virtual bool is_capturing() { return false; }  // work is noted in a graph, and not done

  Device& device() const { return device_; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }  // never used again, unlike an address

  /// In the device's memory, 0 between the stream's launches; made and kept by kernel/workspace.
  std::atomic<uint32_t*> counters{nullptr};

 private:
  Device& device_;
  int priority_;
  uint64_t id_;
};

class Event {
 public:
  explicit Event(Device& device) : device_(device) {}
  virtual ~Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  virtual void synchronize() = 0;
  virtual bool query() = 0;
  virtual double milliseconds_since(Event& start) = 0;  // an event of the same device

  Device& device() const { return device_; }

 private:
  Device& device_;
};

/// The calling thread's current stream of a device; the device's own until one is set.
Stream& current_stream(Device& device);
void set_current_stream(Device& device, std::shared_ptr<Stream> stream);  // null: the device's own

}  // namespace gpuarr
