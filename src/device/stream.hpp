// Streams and events, as every backend has them, and each thread's current streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "core/fork.hpp"
#include "device/host_function.hpp"

namespace gpuarr {

class Allocator;
class Capture;
class Device;
class Event;
class Front;
class Graph;
struct Report;

/// How much work of each stream of a capture lies before a point: by Stream::id().
using Progress = std::map<uint64_t, int64_t>;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(Device& device, int priority);
  virtual ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual void synchronize() = 0;
  virtual bool query() = 0;
  virtual void record(Event& event) = 0;  // an event of the same device
  virtual void wait(Event& event) = 0;    // an event of any device
  /// `other`, of any device, waits for all that this stream was given so far.
  virtual void let_wait(Stream& other);
  /// Calls function(user) after the work given so far, on some thread; see host_function.hpp.
  virtual void call(HostFunction function, void* user) = 0;
  virtual void* native() const { return const_cast<Stream*>(this); }  // what others know it by
  virtual bool is_capturing() { return false; }  // work is noted in a graph, and not done
  /// Whether work that it is given is done when the call returns, in the caller.
  virtual bool eager() const { return false; }

  Device& device() const { return device_; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }  // never used again, unlike an address

  /// The reference by which a user has it. As long as there is one it may be given work.
  std::shared_ptr<Stream> for_user();
  bool has_user() const { return user_count_.load() > 0; }

  /// Whether it is being captured through this library; costs no call of the driver.
  bool captures() const { return capturing.load(std::memory_order_relaxed); }
  std::shared_ptr<Capture> capture() const;  // null if it is not
  void keep(
      const std::shared_ptr<void>& thing) const;  // as long as the graph of the capture needs it

  /// From now on what the stream is given goes into a graph.
  void begin_capture();
  std::shared_ptr<Graph> end_capture();

  // Where its memory comes from; see allocator.cpp.
  std::atomic<bool> has_allocator{false};
  std::shared_ptr<Allocator> allocator;
  std::atomic<Front*> front{nullptr};  // of the device's pool, which owns it
  std::atomic<bool> capturing{false};

  /// In the device's memory, 0 between the stream's launches; made and kept by kernel/workspace.
  std::atomic<uint32_t*> counters{nullptr};

  /// Where its kernels report wrong values; made and kept by device/reports.
  std::atomic<Report*> reports{nullptr};

 protected:
  void add_user() noexcept { user_count_.fetch_add(1); }
  void drop_user() noexcept { user_count_.fetch_sub(1); }

  virtual std::shared_ptr<Capture> start_capture();
  virtual std::shared_ptr<Graph> finish_capture(Capture& capture);  // the stream works again

  /// Around what orders two streams: they are of one capture, or of none and stay so meanwhile.
  /// Fails where a capture's work would be ordered with other work.
  class Ordering {
   public:
    Ordering(Stream& first, Stream& second);
    ~Ordering();
    Ordering(const Ordering&) = delete;
    Ordering& operator=(const Ordering&) = delete;

   private:
    void leave() noexcept;
    Stream &first_, &second_;
    bool holds_ = true;
  };

  /// From before a stream's part in a capture begins. At its end the stream is admitted, or is as
  /// it was.
  class CaptureEntry {
   public:
    explicit CaptureEntry(Stream& stream);
    ~CaptureEntry();
    CaptureEntry(const CaptureEntry&) = delete;
    CaptureEntry& operator=(const CaptureEntry&) = delete;

   private:
    Stream& stream_;
  };

  // What each wait and record has to do about captures: a stream that waits for an event out of one
  // joins it.
  struct Joining {
    std::shared_ptr<Capture> capture;  // null: none
    Progress progress;
    std::unique_ptr<CaptureEntry> entry;  // if the stream is to join it
  };
  Joining check_wait(Event& event);
  void take_part(const Joining& joining);
  void note_record(Event& event) const;

 private:
  friend class Capture;
  void discard(Capture& capture) noexcept;

  Device& device_;
  int priority_;
  uint64_t id_;
  std::atomic<int64_t> user_count_{0};
  std::shared_ptr<Capture> capture_;  // guarded by a mutex of capture.cpp
  ForkSafeCount orderings_;
};

class Event {
 public:
  Event(Device& device, bool timed) : device_(device), timed_(timed) {}
  virtual ~Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  virtual void synchronize() = 0;
  virtual bool query() = 0;
  virtual double microseconds_since(Event& start) = 0;  // both timed, and of one device
  virtual void* native() const { return nullptr; }      // null: nobody else knows it

  Device& device() const { return device_; }
  bool timed() const { return timed_; }

  std::atomic<Report*> reports{nullptr};  // of the stream that it was recorded in

 protected:
  void check_real() const;  // fails if it is a point in a graph

 private:
  friend class Stream;
  enum class State { never, recorded, captured };
  void check_outside() const;

  Device& device_;
  bool timed_;
  std::atomic<State> state_{State::never};
  std::weak_ptr<Capture> capture_;  // this and the next guarded by a mutex of capture.cpp
  Progress progress_;
};

/// Waits for a stream, an event or a device, whatever comes of it. What cannot be waited for does
/// no more work, and whoever uses it next is told so.
template <class Waited>
void settle(Waited& waited) noexcept {
  try {
    waited.synchronize();
  } catch (...) {
    // As above.
  }
}

/// In microseconds; fails if there is no such time.
double time_between(Event& start, Event& end);

/// The calling thread's current stream of a device; the device's own until one is set.
Stream& current_stream(Device& device);
void set_current_stream(Device& device, std::shared_ptr<Stream> stream);  // null: the device's own

/// The same stream, with a reference that counts as a user's: see Device::borrow_stream().
std::shared_ptr<Stream> hold_current_stream(Device& device);

}  // namespace gpuarr
