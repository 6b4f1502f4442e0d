// Arrays: a piece of memory seen through a dtype and a layout.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/fork.hpp"
#include "core/shape.hpp"
#include "device/capture.hpp"
#include "device/device.hpp"
#include "device/stream_list.hpp"

namespace gpuarr {

/// Tells the owner of foreign memory that nothing uses it any more.
struct Deleter {
  void (*call)(void* user) = nullptr;
  void* user = nullptr;
};

/// Gives back the memory of arrays that are gone for which that failed at the time.
void free_leftovers() noexcept;

/// Memory of one device: a block of its pool, or another owner's.
class Buffer {
  enum class Origin { pool, borrowed, wrapped };
  struct Making {  // so that only the functions below make one, in one piece of memory
    explicit Making() = default;
  };

 public:
  Buffer(Making /*ours*/, Origin origin, Device& device, void* data, int64_t bytes,
         std::shared_ptr<Stream> home);
  static std::shared_ptr<Buffer> allocate(int64_t bytes, Stream& home);
  /// For the time of a call, or for as long as `keeper` lives, which is held.
  static std::shared_ptr<Buffer> borrow(void* data, int64_t bytes, Device& device,
                                        std::shared_ptr<void> keeper = nullptr);
  /// A user's, whose deleter may be set; `home` is null where it is in no stream's order.
  static std::shared_ptr<Buffer> wrap(void* data, int64_t bytes, Device& device,
                                      std::shared_ptr<Stream> home = nullptr);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Device& device() const { return device_; }
  void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  const std::shared_ptr<Stream>& home() const { return home_; }  // in whose order the memory is

  /// Of wrapped memory: called once, after the work that uses it. Set last, since what fails while
  /// an array is made leaves the memory to its owner.
  void set_deleter(Deleter deleter) noexcept { deleter_ = deleter; }

  bool borrowed() const { return origin_ == Origin::borrowed; }

  /// `other` waits for the work that uses the memory so far.
  void let_wait(Stream& other);

  /// Notes that work in `stream` uses the memory, so that it is not reused before that is done.
  void used_in(Stream& stream) {
    if (stream.captures()) [[unlikely]]
      return note_captured(stream);
    if (&stream != last_user_.load(std::memory_order_relaxed)) note_user(stream);
  }

 private:
  void note_user(Stream& stream);
  void note_captured(Stream& stream);
  std::shared_ptr<Buffer> successor();

  Origin origin_;
  Device& device_;
  void* data_;
  int64_t bytes_;
  std::shared_ptr<Stream> home_;
  Allocator* allocator_ = nullptr;  // of memory that goes back to one
  std::shared_ptr<void> keeper_;    // of what is borrowed, or of the allocator
  Deleter deleter_;                 // of what is wrapped
  std::atomic<const Stream*> last_user_;
  // Guarded by a mutex of array.cpp.
  StreamList users_;
  std::vector<std::weak_ptr<Kept>> graphs_;  // that may use the memory whenever they are launched
};

/// A value: copying it makes another view of the same memory.
struct Array {
  std::shared_ptr<Buffer> buffer;
  DType dtype = DType::f32;
  Layout layout;
  void* data = nullptr;    // element with all indices 0; null if there are no elements
  bool read_only = false;  // and views of it are

  static Array empty(Stream& stream, DType dtype, const Dims& shape, Order order = Order::c);
  static Array with_strides(Stream& stream, DType dtype, const Dims& shape, const Dims& strides);
  /// Host memory that the caller keeps alive.
  static Array borrow(Device& host, DType dtype, const Layout& layout, void* data);

  /// Memory of a user's, in any layout; `home` as in Buffer::wrap.
  static Array wrap(Device& device, DType dtype, const Layout& layout, void* data,
                    std::shared_ptr<Stream> home = nullptr);

  Device& device() const { return buffer->device(); }
  int64_t size() const { return size_of(layout.shape); }
  int itemsize() const { return size_of(dtype); }
  int ndim() const { return layout.ndim(); }

  /// The same memory through another layout that starts `offset` elements further.
  Array view(const Layout& other, int64_t offset = 0) const;
};

/// Fails with GPUARR_ERR_SHAPE where no memory can hold elements that a user says are there: their
/// addresses would wrap around.
void check_addresses(const void* data, const Layout& layout, int itemsize);

/// For what would write to a read-only array, which the message calls `label`.
[[noreturn]] void fail_read_only(const std::string& label);

}  // namespace gpuarr
