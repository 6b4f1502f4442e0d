// What may take long, and must end: when its time is up, or when another thread says so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace gpuarr {

/// Over what this thread does, until the object's end.
class Watch {
 public:
  explicit Watch(std::string subject = "");  // of messages: "kernel \"scale\""
  ~Watch() { innermost = outer_; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  static Watch* current() noexcept { return innermost; }  // the innermost; null for none

  void limit(double seconds);  // from now on; 0 for none
  bool over() const noexcept;  // from any thread

  /// Fails with GPUARR_ERR_COMPILE if it is over; `program` is what was to end.
  void check(const std::string& program) const;

  /// Another thread does a part of the work, and its watch is this one until the object's end.
  class Shared {
   public:
    explicit Shared(Watch* watch) noexcept : outer_(innermost) { innermost = watch; }
    ~Shared() { innermost = outer_; }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    Watch* outer_;
  };

  /// What is under way anywhere is over. Safe in a signal's handler.
  static void end_all() noexcept { cancellations.fetch_add(1, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  bool ended() const noexcept { return cancellations.load(std::memory_order_relaxed) != seen_; }

  static inline constinit thread_local Watch* innermost = nullptr;
  static inline std::atomic<uint32_t> cancellations{0};
  static_assert(std::atomic<uint32_t>::is_always_lock_free);

  std::string subject_;
  uint32_t seen_ = cancellations.load(std::memory_order_relaxed);
  double seconds_ = 0;
  Clock::time_point end_ = Clock::time_point::max();
  Watch* outer_ = innermost;
};

/// $GPUARR_COMPILE_TIMEOUT, in seconds; 0 for no limit.
double usual_time_limit();

}  // namespace gpuarr
