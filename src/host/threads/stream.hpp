// Streams and events of the CPU device: eager, or in a test mode each stream with a thread.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "device/stream_table.hpp"

namespace gpuarr::host {

class Queue;

/// Where a record of an event stands; waiters keep the one that they saw.
class Point;

class HostStream final : public Stream {
 public:
  HostStream(Device& device, int priority, StreamTable& table);
  ~HostStream() override;

  void synchronize() override;
  void finish();  // waits for what it was given; what is captured meanwhile was not given to it
  bool query() override;
  void record(Event& event) override;
  void wait(Event& event) override;
  void let_wait(Stream& other) override;
  void call(HostFunction function, void* user) override;
  bool is_capturing() override { return captures(); }

  bool eager() const override { return queue_ == nullptr && !captures(); }
  /// `kind`: what it is, for graphs. All that it needs has to be its own, unless the stream is
  /// eager; one that goes into a graph is called many times.
  template <class Work>
  void submit(const char* kind, Work&& work) {
    if (eager())
      work();
    else
      enqueue(kind, std::forward<Work>(work));
  }

 protected:
  std::shared_ptr<Capture> start_capture() override;
  std::shared_ptr<Graph> finish_capture(Capture& capture) override;

 private:
  void enqueue(const char* kind, std::function<void()> work);

  StreamTable& table_;
  std::unique_ptr<Queue> queue_;
};

class HostEvent final : public Event {
 public:
  HostEvent(Device& device, bool timed);

  void synchronize() override;
  bool query() override;
  double microseconds_since(Event& start) override;

  std::shared_ptr<Point> point() const;  // null: never recorded
  void set_point(std::shared_ptr<Point> point);

 private:
  std::shared_ptr<Point> point_;  // guarded by a mutex of stream.cpp
};

}  // namespace gpuarr::host
