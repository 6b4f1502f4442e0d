// Streams of a GPU that somebody else made: one of ours for each handle, and none that touches a
// handle whose owner may have destroyed it. On the stand-in, which ends a program that does.
#include <atomic>
#include <thread>
#include <vector>

#include "array/array.hpp"
#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda_fake.hpp"
#include "device/pool.hpp"
#include "ops/base/transfer.hpp"

using namespace gpuarr;

namespace {

// Somebody else's.
class Foreign {
 public:
  explicit Foreign(Device& device) : device_(static_cast<cuda::CudaDevice&>(device)) {
    device_.enter();
    device_.api().stream_create(&stream_, CU_STREAM_NON_BLOCKING, -2);
  }
  ~Foreign() {
    device_.enter();
    device_.api().stream_destroy(stream_);
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  CUstream get() const { return stream_; }

 private:
  cuda::CudaDevice& device_;
  CUstream stream_ = nullptr;
};

void one_stream_for_a_handle(Device& device, Device& other) {
  Foreign foreign(device);
  auto stream = device.borrow_stream(foreign.get());
  auto again = device.borrow_stream(foreign.get());
  CHECK_EQ(stream->id(), again->id());
  CHECK(stream->native() == foreign.get());
  CHECK_EQ(stream->priority(), -2);
  again.reset();
  stream->synchronize();
  CHECK(stream->query());
  CHECK_FAILS(GPUARR_ERR_DEVICE, "another device than cuda:1",
              [&] { other.borrow_stream(foreign.get()); });
  auto own = device.create_stream(0);
  CHECK(device.borrow_stream(own->native()) == own);
  auto legacy = device.borrow_stream(nullptr);
  CHECK_EQ(legacy->id(), device.borrow_stream(CU_STREAM_LEGACY)->id());
  CHECK(legacy->native() == CU_STREAM_LEGACY);
  CHECK(legacy->id() != other.borrow_stream(nullptr)->id());
}

// Memory that was used in a stream whose owner has destroyed it goes to other streams after its
// end, and comes back to it when the handle is borrowed again.
void memory_outlives_the_handle(Device& device) {
  auto user = device.create_stream(0);
  auto foreign = std::make_unique<Foreign>(device);
  auto stream = device.borrow_stream(foreign->get());
  Array home = Array::empty(*stream, DType::f32, {1000});
  Array used = Array::empty(*user, DType::f32, {1000});
  Array both = Array::empty(*stream, DType::f32, {1000});
  used.buffer->used_in(*stream);
  both.buffer->used_in(*user);
  const uint64_t id = stream->id();
  Stream& kept = *stream;
  const auto of_array = home.buffer->home()->for_user();  // gpuarr_array_stream: keeps no handle
  stream.reset();
  foreign.reset();
  int64_t waits = fake::calls("cuStreamWaitEvent");
  used.buffer.reset();
  CHECK_EQ(fake::calls("cuStreamWaitEvent"), waits + 1);  // the user's for its end
  both.buffer.reset();
  CHECK_EQ(fake::calls("cuStreamWaitEvent"), waits + 3);  // its end moves behind the user's work
  auto event = device.create_event();
  kept.record(*event);
  kept.synchronize();
  CHECK(kept.query());
  CHECK(!kept.is_capturing());
  user->let_wait(kept);
  kept.let_wait(*user);
  Foreign next(device);  // at the same place, as a rule
  auto back = device.borrow_stream(next.get());
  CHECK_EQ(back->id() == id, next.get() == kept.native());
  CHECK(back->query());
  home.buffer.reset();
  device.pool().trim();
}

void a_thread_of_its_own(Device& device) {
  auto mine = device.borrow_stream(CU_STREAM_PER_THREAD);
  CHECK_EQ(mine->id(), device.borrow_stream(CU_STREAM_PER_THREAD)->id());
  std::thread([&] {
    auto theirs = device.borrow_stream(CU_STREAM_PER_THREAD);
    CHECK(theirs->id() != mine->id());
    int64_t waits = fake::calls("cuCtxSynchronize");
    mine->let_wait(*theirs);  // the handle means another stream here
    mine->synchronize();
    CHECK(mine->query());
    CHECK_EQ(fake::calls("cuCtxSynchronize"), waits + 3);
    auto event = device.create_event();
    mine->record(*event);
    mine->wait(*event);
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "use it in the thread that borrowed it",
                [&] { mine->call([](void*) {}, nullptr); });
  }).join();
  Stream& kept = *mine;
  auto keeper = mine->shared_from_this();
  std::thread([&] { mine.reset(); }).join();  // where its end cannot be recorded
  int64_t waits = fake::calls("cuCtxSynchronize");
  kept.let_wait(device.own_stream());
  CHECK_EQ(fake::calls("cuCtxSynchronize"), waits + 1);
}

// Threads that borrow and let go at the same time never see another stream.
void borrowed_by_many(Device& device) {
  Foreign foreign(device);
  auto first = device.borrow_stream(foreign.get());
  auto keeper = first->shared_from_this();
  const uint64_t id = first->id();
  first.reset();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) {
        auto stream = device.borrow_stream(foreign.get());
        CHECK_EQ(stream->id(), id);
        Array array = Array::empty(*stream, DType::u8, {512 * (1 + k % 5)});
        stream->let_wait(device.own_stream());
        device.own_stream().let_wait(*stream);
      }
    });
  for (auto& thread : threads) thread.join();
  device.pool().trim();
}

// What is released in a function that a stream runs is destroyed afterwards.
void released_in_a_function(Device& device) {
  struct Things {
    std::shared_ptr<Stream> stream;
    std::shared_ptr<Event> event;
  } things{device.create_stream(0), device.create_event()};
  const int64_t live = fake::live();
  device.own_stream().call([](void* user) { *static_cast<Things*>(user) = {}; }, &things);
  CHECK_EQ(fake::live(), live);
  device.synchronize();
  CHECK_EQ(fake::live(), live - 2);
  device.own_stream().call([](void*) { throw 1; }, nullptr);
  device.own_stream().synchronize();
}

void failures(Device& device) {
  device.pool().trim();  // drops the streams of before
  int64_t live = fake::live();
  for (const char* function : {"cuStreamGetCtx", "cuStreamGetPriority", "cuEventCreate"}) {
    Foreign foreign(device);
    fake::Setting set("FAKE_CUDA_FAIL", std::string(function) + ":201");
    CHECK_FAILS(GPUARR_ERR_DRIVER, function, [&] { device.borrow_stream(foreign.get()); });
  }
  fake::Setting set("FAKE_CUDA_FAIL", "cuLaunchHostFunc:201");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuLaunchHostFunc",
              [&] { device.own_stream().call([](void*) {}, nullptr); });
  CHECK_EQ(fake::live(), live);
}

// A stream whose end could not be recorded is waited for with the whole device.
void an_end_that_fails(Device& device) {
  Foreign foreign(device);
  auto stream = device.borrow_stream(foreign.get());
  auto keeper = stream->shared_from_this();
  {
    fake::Setting set("FAKE_CUDA_FAIL", "cuEventRecord:201");
    stream.reset();
  }
  int64_t waits = fake::calls("cuCtxSynchronize");
  keeper->let_wait(device.own_stream());
  CHECK_EQ(fake::calls("cuCtxSynchronize"), waits + 1);
  stream = device.borrow_stream(foreign.get());
  CHECK(stream == keeper);
  CHECK_EQ(fake::calls("cuCtxSynchronize"), waits + 2);
}

// Once, and not while a capture forbids it.
void copies_between_devices(Device& device, Device& other) {
  const Array x = Array::empty(device.own_stream(), DType::f32, {100});
  const int64_t before = fake::calls("cuCtxEnablePeerAccess");
  for (int k = 0; k < 3; ++k) to_device(x, other.own_stream());
  CHECK_EQ(fake::calls("cuCtxEnablePeerAccess"), before + 1);
  const Array back = to_device(x, other.own_stream());
  fake::Setting set("FAKE_CUDA_FAIL", "cuCtxEnablePeerAccess:201");
  to_device(back, device.own_stream());  // is made all the same
  CHECK_EQ(fake::calls("cuCtxEnablePeerAccess"), before + 2);
}

void peers(Device& device, Device& other) {
  CHECK(device.can_access(other));
  device.enable_access(other);
  device.enable_access(other);  // it was already
  {
    fake::Setting set("FAKE_CUDA_PEERS", "0");
    CHECK(!device.can_access(other));
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "cuda:1 cannot access the memory of cuda:0",
                [&] { other.enable_access(device); });
  }
  fake::Setting set("FAKE_CUDA_FAIL", "cuCtxEnablePeerAccess:201");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuCtxEnablePeerAccess", [&] { other.enable_access(device); });
}

}  // namespace

int main() {
  fake::require();
  fake::Setting set("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  one_stream_for_a_handle(device, other);
  memory_outlives_the_handle(device);
  a_thread_of_its_own(device);
  borrowed_by_many(device);
  released_in_a_function(device);
  failures(device);
  an_end_that_fails(device);
  copies_between_devices(device, other);
  peers(device, other);
  device.pool().trim();
  return check::result();
}
