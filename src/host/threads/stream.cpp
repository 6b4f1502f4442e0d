#include "host/threads/stream.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/once.hpp"
#include "core/settings.hpp"
#include "device/device.hpp"
#include "host/threads/graph.hpp"
#include "host/threads/queue.hpp"

namespace gpuarr::host {

class Point {
 public:
  void reach() {
    time_ = std::chrono::steady_clock::now();
    reached_.store(1, std::memory_order_release);
    reached_.notify_all();
  }
  // What a stream's thread of the parent should have reached, a child of a fork takes as reached.
  bool reached() const {
    return reached_.load(std::memory_order_acquire) != 0 || generation_ != fork_generation();
  }
  void wait() const {
    if (!reached()) reached_.wait(0, std::memory_order_acquire);
  }
  std::chrono::steady_clock::time_point time() const { return time_; }

 private:
  std::atomic<int> reached_{0};
  uint32_t generation_ = fork_generation();
  std::chrono::steady_clock::time_point time_;
};

namespace {

ForkSafeMutex& point_mutex() {
  static Undying<ForkSafeMutex> mutex;
  return *mutex;
}

bool asynchronous() { return setting("GPUARR_HOST_ASYNC") == "1"; }

void check_recorded(const std::shared_ptr<Point>& point, const char* which) {
  if (!point)
    fail(GPUARR_ERR_ARGUMENT, "{} was never recorded; record it in a stream before", which);
}

void check_reached(const Point& point, const char* which) {
  if (!point.reached())
    fail(GPUARR_ERR_ARGUMENT, "{} is not reached yet; synchronize with it before", which);
}

}  // namespace

HostStream::HostStream(Device& device, int priority, StreamTable& table)
    : Stream(device, priority), table_(table) {
  if (asynchronous()) queue_ = std::make_unique<Queue>();
}

HostStream::~HostStream() {
  table_.remove(native());
  if (queue_) Queue::end(std::move(queue_));
}

void HostStream::enqueue(const char* kind, std::function<void()> work) {
  if (auto current = capture())
    note_work(*current, *this, kind, std::move(work));
  else if (queue_)
    queue_->push(std::move(work));
  else
    work();  // the capture ended just now, in another thread
}

std::shared_ptr<Capture> HostStream::start_capture() { return make_capture(*this); }

std::shared_ptr<Graph> HostStream::finish_capture(Capture& capture) { return make_graph(capture); }

void HostStream::synchronize() {
  check_not_captured(*this);
  finish();
}

void HostStream::finish() {
  if (!queue_) return;
  check_host_function();
  queue_->drain();
}

bool HostStream::query() {
  check_not_captured(*this);
  return !queue_ || queue_->idle();
}

void HostStream::record(Event& event) {
  note_record(event);
  if (captures()) return;
  auto point = std::make_shared<Point>();
  static_cast<HostEvent&>(event).set_point(point);
  submit("event", [point] { point->reach(); });
}

void HostStream::wait(Event& event) {
  const Joining joining = check_wait(event);
  if (joining.capture) return take_part(joining);
  if (&event.device() != &device()) {
    event.synchronize();
    return;
  }
  auto point = static_cast<HostEvent&>(event).point();
  if (point && !point->reached()) submit("wait", [point] { point->wait(); });
}

// What an eager stream was given is done.
void HostStream::let_wait(Stream& other) {
  if (!eager() || other.captures()) Stream::let_wait(other);
}

void HostStream::call(HostFunction function, void* user) {
  submit("host function", [=] { run_host_function(function, user); });
}

HostEvent::HostEvent(Device& device, bool timed) : Event(device, timed) { point_mutex(); }

std::shared_ptr<Point> HostEvent::point() const {
  std::lock_guard lock(point_mutex());
  return point_;
}

void HostEvent::set_point(std::shared_ptr<Point> point) {
  std::lock_guard lock(point_mutex());
  point_.swap(point);
}

void HostEvent::synchronize() {
  check_real();
  auto p = point();
  if (!p || p->reached()) return;
  check_host_function();
  p->wait();
}

bool HostEvent::query() {
  check_real();
  auto p = point();
  return !p || p->reached();
}

double HostEvent::microseconds_since(Event& start) {
  check_real();
  static_cast<HostEvent&>(start).check_real();
  auto first = static_cast<HostEvent&>(start).point();
  auto last = point();
  check_recorded(first, "start");
  check_recorded(last, "end");
  check_reached(*first, "start");
  check_reached(*last, "end");
  return std::chrono::duration<double, std::micro>(last->time() - first->time()).count();
}

}  // namespace gpuarr::host
