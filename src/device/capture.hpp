// A capture under way: which streams take part in it, and what its graph will need.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/fork.hpp"
#include "device/stream.hpp"

namespace gpuarr {

/// What a graph uses, and keeps as long as it may run: memory, compiled code, functions' data.
class Kept {
 public:
  void add(const std::shared_ptr<void>& thing);

 private:
  ForkSafeMutex mutex_;
  std::unordered_map<void*, std::shared_ptr<void>> things_;  // each once
};

/// Memory that is asked for in its streams comes from pools that are the graph's alone, and that
/// give nothing back: a launch may use what was free again when the capture ended.
class Capture {
 public:
  explicit Capture(Stream& origin);  // before the driver begins it
  virtual ~Capture();                // after the driver has ended it
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  Stream& origin() const { return origin_; }
  const std::shared_ptr<Kept>& kept() const { return kept_; }
  bool is_over() const;
  bool owns(const Allocator* memory) const;

  /// A stream takes part from now on. Later ones begin behind a point of the capture.
  static void admit(const std::shared_ptr<Capture>& capture, Stream& stream, const Progress& point);
  /// All its streams do their work at once again.
  void end() noexcept;

  void advance(const Stream& stream);  // it was given some work
  Progress progress(const Stream& stream) const;
  bool is_joined() const;  // whether the origin waits for the work of all other streams

 private:
  struct Member {
    std::shared_ptr<Stream> stream;
    std::shared_ptr<Allocator> memory;  // the graph's
    std::shared_ptr<Allocator> before;  // its own, if it had one
  };
  std::shared_ptr<Allocator> memory_of(Device& device);

  Stream& origin_;
  Device& device_;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  mutable ForkSafeMutex mutex_;  // over the rest
  bool over_ = false;
  std::vector<Member> members_;
  std::map<uint64_t, Progress> progress_;  // by Stream::id()
};

/// Fails if a stream is being captured, for what has to be done at once.
void check_not_captured(const Stream& stream);

}  // namespace gpuarr
