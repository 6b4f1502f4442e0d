#include "array/array.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/error.hpp"
#include "core/once.hpp"
#include "device/allocator.hpp"

namespace gpuarr {
namespace {

// Few arrays are used in a second stream, so one lock serves them all.
ForkSafeMutex& users_mutex() {
  static Undying<ForkSafeMutex> mutex;
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

// Memory that could not be given back when its last array went, because waiting for the streams
// that used it could not be noted then: one was being captured, or the release came from a host
// function; or the driver refused. It is tried again at the next allocation or trim.
struct Leftover {
  std::shared_ptr<Stream> home;
  StreamList others;
  Allocator* allocator;
  std::shared_ptr<void> keeper;
  void* data;
};

std::atomic<int> leftover_count{0};

std::vector<Leftover>& leftovers() {  // guarded by users_mutex()
  static Undying<std::vector<Leftover>> list;
  return *list;
}

// Throws if a stream cannot be told to wait.
void free(const Leftover& memory) {
  const auto captures = [](const auto& stream) { return stream->captures(); };
  if (!memory.others.empty() &&
      (captures(memory.home) || std::ranges::any_of(memory.others, captures)))
    fail(GPUARR_ERR_UNSUPPORTED, "a stream that used the memory is being captured");
  for (const auto& stream : memory.others) stream->let_wait(*memory.home);
  memory.allocator->deallocate(memory.data, *memory.home);
}

void leave(Leftover&& memory) {
  std::lock_guard lock(users_mutex());
  leftovers().push_back(std::move(memory));
  leftover_count.fetch_add(1);
}

// Where there is no memory to let a stream wait or to note it, the caller waits.
void free_or_leave(Leftover&& memory) noexcept {
  try {
    return free(memory);
  } catch (...) {
    // It is noted then.
  }
  try {
    return leave(std::move(memory));
  } catch (...) {
    // It is waited for then.
  }
  try {
    for (const auto& stream : memory.others) stream->synchronize();
    memory.allocator->deallocate(memory.data, *memory.home);
  } catch (...) {
    // It cannot be waited for: it is never used again, which is safe.
  }
}

}  // namespace

void free_leftovers() noexcept {
  std::vector<Leftover> list;
  {
    std::lock_guard lock(users_mutex());
    list.swap(leftovers());
    leftover_count.fetch_sub(static_cast<int>(list.size()));
  }
  for (Leftover& memory : list) free_or_leave(std::move(memory));
}

Buffer::Buffer(Making /*ours*/, Origin origin, Device& device, void* data, int64_t bytes,
               std::shared_ptr<Stream> home)
    : origin_(origin),
      device_(device),
      data_(data),
      bytes_(bytes),
      home_(std::move(home)),
      last_user_(origin == Origin::pool ? home_.get() : nullptr) {}

std::shared_ptr<Buffer> Buffer::allocate(int64_t bytes, Stream& home) {
  if (leftover_count.load(std::memory_order_relaxed) != 0) [[unlikely]]
    free_leftovers();
  auto out = std::make_shared<Buffer>(Making(), Origin::pool, home.device(), nullptr, bytes,
                                      home.shared_from_this());
  AllocatorUse use = current_allocator(home);
  out->allocator_ = use.allocator;
  out->keeper_ = std::move(use.keeper);
  out->data_ = use.allocator->allocate(bytes, home);
  return out;
}

std::shared_ptr<Buffer> Buffer::borrow(void* data, int64_t bytes, Device& device,
                                       std::shared_ptr<void> keeper) {
  auto out = std::make_shared<Buffer>(Making(), Origin::borrowed, device, data, bytes, nullptr);
  out->keeper_ = std::move(keeper);
  return out;
}

std::shared_ptr<Buffer> Buffer::wrap(void* data, int64_t bytes, Device& device,
                                     std::shared_ptr<Stream> home) {
  return std::make_shared<Buffer>(Making(), Origin::wrapped, device, data, bytes, std::move(home));
}

// Graphs that use the memory keep it until they are gone too.
Buffer::~Buffer() {
  try {
    std::shared_ptr<Buffer> next;
    for (const auto& graph : graphs_)
      if (auto kept = graph.lock()) {
        if (!next) next = successor();
        kept->add(next);
      }
    if (next) return;
  } catch (...) {
    return;  // no memory to note it: it is never given back, which is safe
  }
  // The home stream waits for the others that used the memory, and then it is free in its order.
  if (origin_ == Origin::pool && data_ != nullptr)
    free_or_leave({std::move(home_), std::move(users_), allocator_, std::move(keeper_), data_});
  if (deleter_.call == nullptr) return;
  for (const auto& stream : users_) settle(*stream);
  deleter_.call(deleter_.user);
}

// All that this one has to do when it goes, to be done when that one goes.
std::shared_ptr<Buffer> Buffer::successor() {
  auto next = std::make_shared<Buffer>(Making(), origin_, device_, data_, bytes_, home_);
  next->allocator_ = allocator_;
  next->keeper_ = keeper_;
  next->deleter_ = deleter_;
  next->users_ = users_;
  return next;
}

void Buffer::note_user(Stream& stream) {
  if (origin_ == Origin::borrowed && keeper_ == nullptr) return;
  if (origin_ != Origin::pool || &stream != home_.get()) {
    StreamList left;
    {
      std::lock_guard lock(users_mutex());
      left = add_stream(users_, stream);
    }
    if (!left.empty()) {
      keep_idle(left);
      std::lock_guard lock(users_mutex());
      forget_streams(users_, left);
    }
  }
  last_user_.store(&stream, std::memory_order_relaxed);
}

void Buffer::let_wait(Stream& other) {
  StreamList users;
  {
    std::lock_guard lock(users_mutex());
    users = users_;
  }
  if (home_ != nullptr) home_->let_wait(other);
  for (const auto& user : users)
    if (user != home_) user->let_wait(other);
}

// What came from the graph's own memory stays there.
void Buffer::note_captured(Stream& stream) {
  auto capture = stream.capture();
  if (!capture) return;
  if (allocator_ != nullptr && capture->owns(allocator_)) {
    if (&stream != last_user_.load(std::memory_order_relaxed)) note_user(stream);
    return;
  }
  const auto& kept = capture->kept();
  std::lock_guard lock(users_mutex());
  std::erase_if(graphs_, [](const auto& graph) { return graph.expired(); });
  bool known = std::ranges::any_of(graphs_, [&](const auto& g) { return g.lock() == kept; });
  if (!known) graphs_.push_back(kept);
}

Array Array::with_strides(Stream& stream, DType dtype, const Dims& shape, const Dims& strides) {
  auto buffer = Buffer::allocate(checked_bytes(shape, size_of(dtype)), stream);
  void* data = buffer->data();
  return {std::move(buffer), dtype, {shape, strides}, data};
}

Array Array::empty(Stream& stream, DType dtype, const Dims& shape, Order order) {
  return with_strides(stream, dtype, shape, dense_strides(shape, order));
}

Array Array::borrow(Device& host, DType dtype, const Layout& layout, void* data) {
  void* first = size_of(layout.shape) > 0 ? data : nullptr;
  return {Buffer::borrow(first, 0, host), dtype, layout, first};
}

Array Array::wrap(Device& device, DType dtype, const Layout& layout, void* data,
                  std::shared_ptr<Stream> home) {
  void* first = size_of(layout.shape) > 0 ? data : nullptr;
  check_addresses(first, layout, size_of(dtype));
  char* begin = static_cast<char*>(first) + reach(layout).low * size_of(dtype);
  const int64_t bytes = span_of(layout) * size_of(dtype);
  return {Buffer::wrap(begin, bytes, device, std::move(home)), dtype, layout, first};
}

void check_addresses(const void* data, const Layout& layout, int itemsize) {
  const auto [low, high] = reach(layout);
  const auto at = reinterpret_cast<uintptr_t>(data);
  const auto bytes = static_cast<uintptr_t>(itemsize);
  const auto below = static_cast<uintptr_t>(-low) * bytes;
  const auto above = static_cast<uintptr_t>(high + 1) * bytes;
  if (size_of(layout.shape) == 0 || (below <= at && above <= UINTPTR_MAX - at)) return;
  fail(GPUARR_ERR_SHAPE,
       "strides {} with shape {} and {}-byte elements lead from the first element, at {}, {}; give "
       "the strides, in elements, and the address of the element with all indices 0",
       to_string(layout.strides), to_string(layout.shape), itemsize, data,
       below > at ? "to before address 0" : "beyond the last address");
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
