#include "array/array.hpp"

#include <algorithm>
#include <mutex>

#include "device/pool.hpp"

namespace gpuarr {
namespace {

// Few arrays are used in a second stream, so one lock serves them all.
ForkSafeMutex& foreign_mutex() {
  static auto* mutex = new ForkSafeMutex;
  return *mutex;
}

}  // namespace

Buffer::Buffer(Device& device, void* data, int64_t bytes, std::shared_ptr<Stream> home)
    : device_(device), data_(data), bytes_(bytes), home_(std::move(home)) {}

std::shared_ptr<Buffer> Buffer::allocate(int64_t bytes, Stream& home) {
  void* data = bytes > 0 ? home.device().pool().allocate(bytes, home) : nullptr;
  return std::shared_ptr<Buffer>(new Buffer(home.device(), data, bytes, home.shared_from_this()));
}

std::shared_ptr<Buffer> Buffer::borrow(void* data, int64_t bytes, Device& device,
                                       std::shared_ptr<void> keeper) {
  std::shared_ptr<Buffer> out(new Buffer(device, data, bytes, nullptr));
  out->keeper_ = std::move(keeper);
  return out;
}

Buffer::~Buffer() {
  if (home_ == nullptr || data_ == nullptr) return;
  try {
    for (const auto& stream : foreign_) stream->let_wait(*home_);
  } catch (...) {
    // The device is gone or out of resources: its memory is no longer anybody's to wait for.
  }
  device_.pool().deallocate(data_, *home_);
}

void Buffer::let_wait(Stream& other) {
  std::vector<std::shared_ptr<Stream>> streams;
  {
    std::lock_guard lock(foreign_mutex());
    streams = foreign_;
  }
  if (home_ != nullptr) home_->let_wait(other);
  for (const auto& stream : streams) stream->let_wait(other);
}

void Buffer::note_foreign(Stream& stream) {
  std::lock_guard lock(foreign_mutex());
  bool known = std::ranges::any_of(foreign_, [&](const auto& s) { return s.get() == &stream; });
  if (!known) foreign_.push_back(stream.shared_from_this());
}

Array Array::with_strides(Stream& stream, DType dtype, const Dims& shape, const Dims& strides) {
  Array out;
  out.dtype = dtype;
  out.layout = {shape, strides};
  out.buffer = Buffer::allocate(out.size() * out.itemsize(), stream);
  out.data = out.buffer->data();
  return out;
}

Array Array::empty(Stream& stream, DType dtype, const Dims& shape, Order order) {
  return with_strides(stream, dtype, shape, dense_strides(shape, order));
}

Array Array::borrow(Device& host, DType dtype, const Layout& layout, void* data) {
  Array out;
  out.dtype = dtype;
  out.layout = layout;
  out.data = out.size() > 0 ? data : nullptr;
  out.buffer = Buffer::borrow(out.data, 0, host);
  return out;
}

Array Array::view(const Layout& other, int64_t offset) const {
  Array out = *this;
  out.layout = other;
  out.data = nullptr;
  if (data != nullptr && out.size() > 0) out.data = static_cast<char*>(data) + offset * itemsize();
  return out;
}

}  // namespace gpuarr
