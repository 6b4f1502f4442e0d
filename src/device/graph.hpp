// Graphs: work of a stream that was noted instead of done, to be done again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "device/capture.hpp"
#include "device/stream_list.hpp"

namespace gpuarr {

/// A graph that can be launched. What it uses is kept until the last launch is done.
class GraphExec {
 public:
  GraphExec(Device& device, std::shared_ptr<Kept> kept) : device_(device), kept_(std::move(kept)) {}
  virtual ~GraphExec() { keep_instead(nullptr); }
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;

  /// After the stream's earlier work, and after earlier launches of this one. In a stream that is
  /// being captured it becomes a part of that graph.
  void launch(Stream& stream) {
    if (last_.load(std::memory_order_relaxed) != stream.id() || stream.captures()) [[unlikely]]
      note(stream);
    run(stream);
  }

  Device& device() const { return device_; }

 protected:
  virtual void run(Stream& stream) = 0;
  /// For later launches.
  void keep_instead(std::shared_ptr<Kept> kept) noexcept;

 private:
  void note(Stream& stream);

  Device& device_;
  std::shared_ptr<Kept> kept_;
  std::atomic<uint64_t> last_{0};  // Stream::id() of the last launch
  ForkSafeMutex mutex_;
  StreamList streams_;  // that it was launched in
};

class Graph {
 public:
  Graph(Device& device, std::shared_ptr<Kept> kept) : device_(device), kept_(std::move(kept)) {}
  virtual ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  virtual int64_t nodes() = 0;
  virtual std::shared_ptr<GraphExec> instantiate() = 0;
  /// Puts this graph's parameters in place of an exec's, which is unchanged on failure.
  virtual void update(GraphExec& exec) = 0;

  Device& device() const { return device_; }
  const std::shared_ptr<Kept>& kept() const { return kept_; }

 private:
  Device& device_;
  std::shared_ptr<Kept> kept_;
};

/// What every device says where a capture has no graph, or a graph cannot take another's place.
[[noreturn]] void fail_unjoined();
[[noreturn]] void fail_update(const std::string& reason);

/// Drops what graphs used that are gone, as far as their launches are done.
void clear_finished_graphs() noexcept;

}  // namespace gpuarr
