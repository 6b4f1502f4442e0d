#include "array/array.hpp"

#include <algorithm>
#include <mutex>

#include "core/error.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

// Few arrays are used in a second stream, so one lock serves them all.
ForkSafeMutex& users_mutex() {
  static auto* mutex = new ForkSafeMutex;
  return *mutex;
}

// An event is waited for, not the stream, whose errors are for its next caller. What a graph
// captures is not done before the graph is launched, which its owner answers for.
void settle(Stream& stream) noexcept {
  try {
    if (stream.is_capturing() || stream.query()) return;
    auto event = stream.device().create_event(false);
    stream.record(*event);
    event->synchronize();
  } catch (...) {
    // The device is gone: it does no more work.
  }
}

}  // namespace

Buffer::Buffer(Origin origin, Device& device, void* data, int64_t bytes,
               std::shared_ptr<Stream> home)
    : origin_(origin),
      device_(device),
      data_(data),
      bytes_(bytes),
      home_(std::move(home)),
      last_user_(origin == Origin::pool ? home_.get() : nullptr) {}

std::shared_ptr<Buffer> Buffer::allocate(int64_t bytes, Stream& home) {
  void* data = bytes > 0 ? home.device().pool().allocate(bytes, home) : nullptr;
  return std::shared_ptr<Buffer>(
      new Buffer(Origin::pool, home.device(), data, bytes, home.shared_from_this()));
}

std::shared_ptr<Buffer> Buffer::borrow(void* data, int64_t bytes, Device& device,
                                       std::shared_ptr<void> keeper) {
  std::shared_ptr<Buffer> out(new Buffer(Origin::borrowed, device, data, bytes, nullptr));
  out->keeper_ = std::move(keeper);
  return out;
}

std::shared_ptr<Buffer> Buffer::wrap(void* data, int64_t bytes, Device& device,
                                     std::shared_ptr<Stream> home) {
  return std::shared_ptr<Buffer>(new Buffer(Origin::wrapped, device, data, bytes, std::move(home)));
}

Buffer::~Buffer() {
  if (origin_ == Origin::pool && data_ != nullptr) give_back();
  if (deleter_.call == nullptr) return;
  for (const auto& stream : users_) settle(*stream);
  deleter_.call(deleter_.user);
}

void Buffer::give_back() noexcept {
  try {
    for (const auto& stream : users_) stream->let_wait(*home_);
  } catch (...) {
    // The device is gone or out of resources: its memory is no longer anybody's to wait for.
  }
  device_.pool().deallocate(data_, *home_);
}

void Buffer::note_user(Stream& stream) {
  if (origin_ == Origin::borrowed && keeper_ == nullptr) return;
  if (origin_ != Origin::pool || &stream != home_.get()) {
    std::lock_guard lock(users_mutex());
    bool known = std::ranges::any_of(users_, [&](const auto& s) { return s.get() == &stream; });
    if (!known) users_.push_back(stream.shared_from_this());
  }
  last_user_.store(&stream, std::memory_order_relaxed);
}

void Buffer::let_wait(Stream& other) {
  std::vector<std::shared_ptr<Stream>> users;
  {
    std::lock_guard lock(users_mutex());
    users = users_;
  }
  if (home_ != nullptr) home_->let_wait(other);
  for (const auto& user : users)
    if (user != home_) user->let_wait(other);
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

Array Array::wrap(Device& device, DType dtype, const Layout& layout, void* data,
                  std::shared_ptr<Stream> home) {
  Array out;
  out.dtype = dtype;
  out.layout = layout;
  out.data = out.size() > 0 ? data : nullptr;
  Reach elements = reach(layout);
  int64_t itemsize = out.itemsize();
  char* begin = static_cast<char*>(out.data) + elements.low * itemsize;
  int64_t bytes = (elements.high - elements.low + 1) * itemsize;
  out.buffer = Buffer::wrap(begin, bytes, device, std::move(home));
  return out;
}

Array Array::view(const Layout& other, int64_t offset) const {
  Array out = *this;
  out.layout = other;
  out.data = nullptr;
  if (data != nullptr && out.size() > 0) out.data = static_cast<char*>(data) + offset * itemsize();
  return out;
}

void fail_read_only(const std::string& label) {
  fail(GPUARR_ERR_ARGUMENT, "{} is read-only; write to a copy of it", label);
}

}  // namespace gpuarr
