// Arrays: a piece of memory seen through a dtype and a layout.
#pragma once

#include <memory>
#include <vector>

#include "core/dtype.hpp"
#include "core/fork.hpp"
#include "core/shape.hpp"
#include "device/device.hpp"

namespace gpuarr {

/// Memory of one device: a block of its pool, or somebody else's that is only borrowed.
class Buffer {
 public:
  static std::shared_ptr<Buffer> allocate(int64_t bytes, Stream& home);
  /// `keeper` is held as long as the memory is looked at; null for what the caller keeps alive.
  static std::shared_ptr<Buffer> borrow(void* data, int64_t bytes, Device& device,
                                        std::shared_ptr<void> keeper = nullptr);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Device& device() const { return device_; }
  void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }

  bool borrowed() const { return home_ == nullptr; }

  /// `other` waits for the work that uses the memory so far.
  void let_wait(Stream& other);

  /// Notes that work in `stream` uses the memory, so that it is not reused before that is done.
  void used_in(Stream& stream) {
    if (&stream != home_.get() && home_ != nullptr) note_foreign(stream);
  }

 private:
  Buffer(Device& device, void* data, int64_t bytes, std::shared_ptr<Stream> home);
  void note_foreign(Stream& stream);

  Device& device_;
  void* data_;
  int64_t bytes_;
  std::shared_ptr<Stream> home_;  // the pool's block is ordered in this stream; null: borrowed
  std::shared_ptr<void> keeper_;  // of what is borrowed
  std::vector<std::shared_ptr<Stream>> foreign_;  // guarded by a mutex of array.cpp
};

/// A value: copying it makes another view of the same memory.
struct Array {
  std::shared_ptr<Buffer> buffer;
  DType dtype = DType::f32;
  Layout layout;
  void* data = nullptr;  // element with all indices 0; null if there are no elements

  static Array empty(Stream& stream, DType dtype, const Dims& shape, Order order = Order::c);
  static Array with_strides(Stream& stream, DType dtype, const Dims& shape, const Dims& strides);
  /// Host memory that the caller keeps alive.
  static Array borrow(Device& host, DType dtype, const Layout& layout, void* data);

  Device& device() const { return buffer->device(); }
  int64_t size() const { return size_of(layout.shape); }
  int itemsize() const { return size_of(dtype); }
  int ndim() const { return layout.ndim(); }

  /// The same memory through another layout that starts `offset` elements further.
  Array view(const Layout& other, int64_t offset = 0) const;
};

}  // namespace gpuarr
