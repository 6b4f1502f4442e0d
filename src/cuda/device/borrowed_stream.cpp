// Streams of another library, which may destroy them once all references to ours are released.
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/device/stream.hpp"

namespace gpuarr::cuda {
namespace {

// Unlike the system's, never used again.
uint64_t this_thread() {
  static std::atomic<uint64_t> next{1};
  thread_local const uint64_t id = next++;
  return id;
}

class BorrowedStream final : public CudaStream {
 public:
  // CU_STREAM_PER_THREAD is another stream in each thread; `owner` is its thread, 0 for all others.
  BorrowedStream(CudaDevice& device, int priority, CUstream native, uint64_t owner)
      : CudaStream(device, priority, native, false), owner_(owner) {
    mark();  // so that retiring cannot fail for want of it
  }

  void hold() {
    add_user();
    ++holders_;
    settle();
  }
  void let_go() noexcept {
    drop_user();
    --holders_;
    settle();
  }

  void synchronize() override;
  bool query() override;
  void record(Event& event) override;
  void wait(Event& event) override;
  void let_wait(Stream& other) override;
  void call(HostFunction function, void* user) override;
  bool is_capturing() override;

 private:
  // `marked`: the handle is not ours any more, and mark() is the end of the stream's work.
  // `unknown`: likewise, but it could not be recorded, so that waiting is for the whole device.
  enum class State { live, marked, unknown, changing };

  // While one is there the state does not change.
  class Use {
   public:
    explicit Use(BorrowedStream& stream);
    ~Use() { leave(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    State state() const { return state_; }

   private:
    void leave() {
      if (stream_.users_.fetch_sub(1) == 1) stream_.users_.notify_all();
    }
    BorrowedStream& stream_;
    State state_;
  };

  void settle() noexcept;
  State retire() noexcept;
  State revive(State from) noexcept;
  void join(Event& event);

  const uint64_t owner_;
  std::atomic<int64_t> holders_{0};  // of the handle: not all users, see gpuarr_array_stream
  std::atomic<int64_t> users_{0};
  std::atomic<State> state_{State::live};
};

BorrowedStream::Use::Use(BorrowedStream& stream) : stream_(stream) {
  stream.cuda_device().api().check_process();  // a forked child would wait for threads it lacks
  for (;;) {
    stream.users_.fetch_add(1);
    state_ = stream.state_.load();
    if (state_ != State::changing) break;
    leave();
    stream.state_.wait(State::changing);
  }
  if (state_ == State::live && stream.owner_ != 0 && stream.owner_ != this_thread())
    state_ = State::unknown;  // the handle means another stream here
}

// Makes the state what the holders want. Several threads may come here at once. CUDA's legacy
// stream is always there.
void BorrowedStream::settle() noexcept {
  if (native() == CU_STREAM_LEGACY || cuda_device().api().generation != fork_generation()) return;
  for (;;) {
    const bool wanted = holders_.load() > 0;
    State state = state_.load();
    if (state == State::changing) {
      state_.wait(state);
    } else if (wanted == (state == State::live)) {
      return;
    } else if (state_.compare_exchange_strong(state, State::changing)) {
      for (int64_t users = users_.load(); users != 0; users = users_.load()) users_.wait(users);
      state_ = wanted ? revive(state) : retire();
      state_.notify_all();
    }
  }
}

BorrowedStream::State BorrowedStream::retire() noexcept {
  try {
    if (owner_ != 0 && owner_ != this_thread()) return State::unknown;
    if (captures()) end_capture();  // nobody is left to end it
    CudaStream::record(mark());
    return State::marked;
  } catch (...) {
    return State::unknown;  // the device is lost, or this is in a host function
  }
}

// The handle may be another stream's by now, so that it waits for the work of the old one.
BorrowedStream::State BorrowedStream::revive(State from) noexcept {
  try {
    if (from == State::marked)
      CudaStream::wait(mark());
    else
      cuda_device().synchronize();
  } catch (...) {
    // The device is lost, and whoever uses the stream is told so.
  }
  return State::live;
}

// Of a stream that is retired: its end comes after the event too.
void BorrowedStream::join(Event& event) {
  Stream& joiner = cuda_device().joiner();
  joiner.wait(mark());
  joiner.wait(event);
  joiner.record(mark());
}

void BorrowedStream::synchronize() {
  Use use(*this);
  if (use.state() == State::live) return CudaStream::synchronize();
  if (use.state() == State::marked) return mark().synchronize();
  cuda_device().synchronize();
}

bool BorrowedStream::query() {
  Use use(*this);
  if (use.state() == State::live) return CudaStream::query();
  if (use.state() == State::marked) return mark().query();
  cuda_device().synchronize();
  return true;
}

void BorrowedStream::record(Event& event) {
  Use use(*this);
  if (use.state() == State::live) return CudaStream::record(event);
  if (use.state() == State::unknown) cuda_device().synchronize();
  Stream& joiner = cuda_device().joiner();
  if (use.state() == State::marked) joiner.wait(mark());
  joiner.record(event);
}

void BorrowedStream::wait(Event& event) {
  Use use(*this);
  if (use.state() == State::live) return CudaStream::wait(event);
  if (use.state() == State::marked) return join(event);
  event.synchronize();
}

void BorrowedStream::let_wait(Stream& other) {
  if (&other == this) return;
  const Ordering ordering(*this, other);
  bool marked = true;
  {
    Use use(*this);
    marked = use.state() != State::unknown;
    if (use.state() == State::live) CudaStream::record(mark());
  }
  if (marked)
    other.wait(mark());
  else
    cuda_device().synchronize();
}

void BorrowedStream::call(HostFunction function, void* user) {
  Use use(*this);
  if (use.state() != State::live)
    fail(GPUARR_ERR_ARGUMENT,
         "stream is CU_STREAM_PER_THREAD of another thread; use it in the thread that borrowed it");
  CudaStream::call(function, user);
}

bool BorrowedStream::is_capturing() {
  Use use(*this);
  return use.state() == State::live && CudaStream::is_capturing();
}

struct Entry {
  CudaDevice* device;
  CUstream native;
  uint64_t owner;
  std::weak_ptr<BorrowedStream> stream;
};

struct Borrowed {
  ForkSafeMutex mutex;
  std::vector<Entry> entries;
};

Borrowed& borrowed() {
  static auto* instance = new Borrowed;
  return *instance;
}

// The stream that is there already; else `made`, which may be null.
std::shared_ptr<BorrowedStream> find(CudaDevice& device, CUstream native, uint64_t owner,
                                     const std::shared_ptr<BorrowedStream>& made) {
  std::lock_guard lock(borrowed().mutex);
  auto& entries = borrowed().entries;
  std::erase_if(entries, [](const Entry& e) { return e.stream.expired(); });
  for (const Entry& e : entries)
    if (e.device == &device && e.native == native && e.owner == owner)
      if (auto found = e.stream.lock()) return found;
  if (made) entries.push_back({&device, native, owner, made});
  return made;
}

void check_context(CudaDevice& device, CUstream native) {
  CUcontext context = nullptr;
  device.api().stream_get_context(native, &context);
  if (context != device.context())
    fail(GPUARR_ERR_DEVICE,
         "native is a stream of another device than {}, or of another context than its primary "
         "one; borrow it on the device that it was made for",
         device.facts().name);
}

std::shared_ptr<BorrowedStream> make(CudaDevice& device, CUstream native, uint64_t owner) {
  int priority = 0;
  device.api().stream_get_priority(native, &priority);
  return std::make_shared<BorrowedStream>(device, priority, native, owner);
}

}  // namespace

// The one stream that we have of a handle, with a reference that counts as a user's. After the last
// of these is gone the stream is retired: an event marks its end, and the handle is not touched
// again. Arrays and the pool may keep the stream; borrowing the handle again brings it back.
std::shared_ptr<Stream> CudaDevice::borrow_stream(void* handle) {
  enter();
  auto* native = handle != nullptr ? static_cast<CUstream>(handle) : CU_STREAM_LEGACY;
  if (auto own = streams_.find(native)) return own->for_user();
  check_context(*this, native);
  const uint64_t owner = native == CU_STREAM_PER_THREAD ? this_thread() : 0;
  std::shared_ptr<BorrowedStream> stream = find(*this, native, owner, nullptr);
  // Made outside the lock; of two threads that meet here one drops its own.
  if (!stream) stream = find(*this, native, owner, make(*this, native, owner));
  stream->hold();
  return {stream.get(), [stream](Stream*) { stream->let_go(); }};
}

}  // namespace gpuarr::cuda
