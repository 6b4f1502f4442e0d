// Tests of device/pool.hpp on a fake device: what is handed out when, statistics, no memory.
#include "device/pool.hpp"

#include <chrono>
#include <limits>
#include <vector>

#include "check.hpp"
#include "fake_device.hpp"

namespace {

constexpr int64_t kib = 1024;
constexpr int64_t mib = 1024 * kib;

void a_hit_calls_nobody() {
  FakeDevice device;
  auto stream = device.stream();
  Pool& pool = device.pool();
  void* a = pool.allocate(1, *stream);
  CHECK_EQ(device.allocations, 1);
  pool.deallocate(a, *stream);
  void* b = pool.allocate(512, *stream);
  void* c = pool.allocate(513, *stream);
  CHECK(a == b);
  CHECK_EQ(static_cast<char*>(c) - static_cast<char*>(b), 512);
  CHECK_EQ(pool.statistics().hits, 2);
  CHECK_EQ(pool.statistics().used, 512 + 1024);
  CHECK_EQ(pool.statistics().cached, 2 * mib - 1536);
  CHECK_EQ(device.allocations, 1);
  CHECK_EQ(device.events + device.synchronizations + device.frees, 0);
  CHECK(pool.allocate(0, *stream) == nullptr);
  pool.deallocate(nullptr, *stream);
  pool.deallocate(b, *stream);
  pool.deallocate(c, *stream);
  CHECK_EQ(pool.statistics().peak, 1536);
  pool.trim();
  CHECK_EQ(pool.statistics().device_calls, 2);
}

void the_best_fit_is_taken() {
  FakeDevice device;
  auto stream = device.stream();
  Pool pool(device);
  void* wide = pool.allocate(64 * kib, *stream);
  void* wall = pool.allocate(512, *stream);
  void* narrow = pool.allocate(8 * kib, *stream);
  void* end = pool.allocate(512, *stream);
  pool.deallocate(wide, *stream);
  pool.deallocate(narrow, *stream);
  CHECK(pool.allocate(7 * kib, *stream) == narrow);
  pool.deallocate(wall, *stream);
  CHECK(pool.allocate(64 * kib + 512, *stream) == wide);  // the two were joined
  pool.deallocate(wide, *stream);
  pool.deallocate(narrow, *stream);
  pool.deallocate(end, *stream);
  void* all = pool.allocate(mib, *stream);
  CHECK(all == wide);
  pool.deallocate(all, *stream);

  void* medium = pool.allocate(5 * mib, *stream);  // out of a block of 32 MiB
  void* beside = pool.allocate(16 * mib, *stream);
  CHECK_EQ(static_cast<char*>(beside) - static_cast<char*>(medium), 5 * mib);
  CHECK_EQ(pool.statistics().cached, 2 * mib + 11 * mib);
  CHECK_EQ(pool.statistics().used, 21 * mib);
  pool.deallocate(medium, *stream);
  pool.deallocate(beside, *stream);
  pool.trim();
}

// A large block is for requests of about its size, unless there is no room for another.
void a_large_block_is_not_wasted() {
  FakeDevice device(40);  // 80 MiB
  auto stream = device.stream();
  Pool pool(device);
  void* large = pool.allocate(40 * mib, *stream);
  pool.deallocate(large, *stream);
  void* nearly = pool.allocate(33 * mib, *stream);
  CHECK(nearly == large);
  pool.deallocate(nearly, *stream);
  void* other = pool.allocate(20 * mib, *stream);
  CHECK(other != large);
  CHECK_EQ(pool.statistics().cached, 40 * mib);
  void* third = pool.allocate(18 * mib, *stream);  // fills the device
  CHECK_EQ(device.frees, 0);
  void* half = pool.allocate(19 * mib, *stream);  // the large one goes back for it
  CHECK_EQ(device.frees, 1);
  void* rest = pool.allocate(20 * mib, *stream);
  CHECK_EQ(pool.statistics().cached, mib);
  for (void* data : {other, third, half, rest}) pool.deallocate(data, *stream);
  pool.trim();
  CHECK_EQ(pool.statistics().cached, 0);
}

// A parcel that is parked is free for its stream alone, at once, and for others in time.
void fronts_keep_what_is_freed() {
  FakeDevice device;
  auto one = device.stream(), two = device.stream();
  Pool& pool = device.pool();
  void* a = pool.allocate(4096, *one);
  void* b = pool.allocate(4096, *one);
  CHECK(pool.deallocate(a, *one));
  CHECK(pool.deallocate(b, *one));
  CHECK(!pool.deallocate(b, *one));  // twice
  CHECK(!pool.deallocate(b, *two));
  CHECK(!pool.deallocate(static_cast<char*>(b) + 512, *one));
  CHECK_EQ(pool.statistics().blocks, 0);
  CHECK_EQ(pool.statistics().used, 0);
  CHECK_EQ(pool.statistics().cached, 2 * mib);
  CHECK(pool.find(b).state == MemoryFound::State::released);
  CHECK(pool.allocate(4000, *one) == b);  // the last that was freed
  CHECK(pool.find(b).state == MemoryFound::State::live);
  CHECK_EQ(pool.find(b).bytes, 4000);
  CHECK_EQ(one->records + two->waits, 0);

  // Freed in another stream, it is ordered there.
  CHECK(pool.deallocate(b, *two));
  CHECK(!pool.deallocate(b, *one));
  CHECK(pool.allocate(4096, *one) == a);
  uint64_t work = two->work();
  void* c = pool.allocate(mib, *one);
  pool.deallocate(c, *one);
  pool.deallocate(a, *one);
  pool.trim();
  CHECK_EQ(pool.statistics().cached, 0);
  CHECK(work > 0);

  // More of one size than a front takes, and more sizes than it has places.
  std::vector<void*> many;
  for (int64_t k = 0; k < 300; ++k) many.push_back(pool.allocate(512 * (1 + k % 100), *one));
  for (void* data : many) CHECK(pool.deallocate(data, *one));
  for (void* data : many) CHECK(!pool.deallocate(data, *one));
  CHECK_EQ(pool.statistics().used, 0);
  CHECK_EQ(pool.statistics().blocks, 0);
  pool.trim();
  CHECK_EQ(pool.statistics().cached, 0);
  CHECK_EQ(device.memory().free, device.memory().total);
}

void another_stream_waits_first() {
  FakeDevice device;
  auto old_stream = device.stream(), new_stream = device.stream();
  Pool pool(device);
  void* a = pool.allocate(100, *old_stream);
  uint64_t work = old_stream->work();
  pool.deallocate(a, *old_stream);
  CHECK(pool.allocate(100, *new_stream) == a);
  CHECK_EQ(new_stream->waits, 1);
  CHECK(new_stream->seen[old_stream->id()] >= work);
  CHECK_EQ(pool.statistics().hits, 0);
  CHECK_EQ(device.allocations, 1);
  pool.deallocate(a, *new_stream);
  CHECK(pool.allocate(100, *new_stream) == a);
  CHECK_EQ(new_stream->waits, 1);
  CHECK_EQ(pool.statistics().hits, 1);

  pool.deallocate(a, *new_stream);
  old_stream->fail_waits = true;
  void* b = pool.allocate(2 * mib, *new_stream);
  pool.deallocate(b, *new_stream);
  CHECK_FAILS(GPUARR_ERR_DRIVER, "the wait failed", [&] { pool.allocate(2 * mib, *old_stream); });
  CHECK_EQ(pool.statistics().used, 0);
  CHECK(pool.allocate(2 * mib, *new_stream) == b);
  pool.deallocate(b, *new_stream);
  pool.trim();
}

// Another thread may begin to capture a stream whose memory was just chosen: it stays there.
void memory_of_a_stream_that_is_captured_stays() {
  FakeDevice device;
  auto old_stream = device.stream(), new_stream = device.stream();
  Pool pool(device);
  void* a = pool.allocate(20 * mib, *old_stream);
  pool.deallocate(a, *old_stream);
  old_stream->on_let_wait = [&] { old_stream->begin_capture(); };
  void* b = pool.allocate(20 * mib, *new_stream);
  CHECK(b != nullptr && b != a);
  CHECK_EQ(new_stream->waits, 0);
  CHECK_EQ(pool.statistics().used, 20 * mib);
  old_stream->end_capture();
  old_stream->on_let_wait = nullptr;
  void* c = pool.allocate(20 * mib, *new_stream);
  CHECK(c == a);
  CHECK_EQ(new_stream->waits, 1);
  pool.deallocate(b, *new_stream);
  pool.deallocate(c, *new_stream);
  pool.trim();
}

void a_dropped_stream_is_kept_until_its_memory_is_taken() {
  FakeDevice device;
  Pool& pool = device.pool();
  auto stream = device.stream();
  for (int i = 0; i < 10; ++i) {
    void* a = pool.allocate(100, *stream);
    pool.deallocate(a, *stream);
    stream = device.stream();
    CHECK(device.streams_alive <= 6);
  }
  CHECK_EQ(device.allocations, 1);
  stream.reset();
  pool.trim();
  CHECK_EQ(device.streams_alive, 0);
  CHECK_EQ(device.memory().free, device.memory().total);
}

void no_memory_is_said() {
  FakeDevice device(4);
  auto one = device.stream(), two = device.stream();
  Pool& pool = device.pool();
  void* small = pool.allocate(1000, *one);
  void* large = pool.allocate(6 * mib, *one);
  pool.deallocate(large, *one);
  CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY,
              "not enough memory for 7340032 bytes on fake:0: arrays use 1024 bytes, the allocator "
              "has 2096128 cached, and 6291456 of the device's 8388608 bytes are free",
              [&] { pool.allocate(7 * mib, *one); });
  for (int64_t bytes : {std::numeric_limits<int64_t>::max(), int64_t{1} << 62})
    CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, std::to_string(bytes).c_str(),
                [&] { pool.allocate(bytes, *one); });

  // Parcels of two streams side by side make up what is asked for.
  void* a = pool.allocate(2 * mib, *one);
  pool.deallocate(a, *one);
  large = pool.allocate(6 * mib, *one);
  pool.deallocate(large, *one);
  a = pool.allocate(2 * mib, *one);
  void* b = pool.allocate(4 * mib, *one);
  pool.deallocate(a, *one);
  pool.deallocate(b, *two);
  int64_t hits = pool.statistics().hits;
  CHECK(pool.allocate(6 * mib, *two) == a);
  CHECK_EQ(pool.statistics().hits, hits);
  pool.deallocate(a, *two);

  device.fail_synchronize = true;
  CHECK_FAILS(GPUARR_ERR_DRIVER, "the device is lost", [&] { pool.allocate(8 * mib, *one); });
  CHECK_FAILS(GPUARR_ERR_DRIVER, "the device is lost", [&] { pool.trim(); });
  device.fail_synchronize = false;
  pool.deallocate(small, *one);
  pool.trim();
  CHECK_EQ(device.memory().free, device.memory().total);
}

// What is freed while trim waits for the device may still be in use when the wait is over.
void trim_leaves_what_is_freed_meanwhile() {
  FakeDevice device;
  auto one = device.stream(), two = device.stream();
  Pool& pool = device.pool();
  void* a = pool.allocate(4 * mib, *one);
  uint64_t work = 0;
  device.on_synchronize = [&] {
    work = one->work();
    pool.deallocate(a, *one);
  };
  pool.trim();
  device.on_synchronize = nullptr;
  CHECK_EQ(device.frees, 0);
  CHECK(pool.allocate(4 * mib, *two) == a);
  CHECK(two->seen[one->id()] >= work);
  pool.deallocate(a, *two);
  pool.trim();
  CHECK_EQ(device.frees, 1);
}

void report_the_cost_of_a_hit() {
  FakeDevice device;
  auto stream = device.stream();
  Pool& pool = device.pool();
  void* held = pool.allocate(4096, *stream);
  constexpr int rounds = 200000;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) pool.deallocate(pool.allocate(100000, *stream), *stream);
  std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  std::cout << "allocate and deallocate: " << took.count() / rounds << " ns\n";
  pool.deallocate(held, *stream);
  pool.trim();
}

}  // namespace

int main() {
  a_hit_calls_nobody();
  the_best_fit_is_taken();
  a_large_block_is_not_wasted();
  fronts_keep_what_is_freed();
  another_stream_waits_first();
  memory_of_a_stream_that_is_captured_stays();
  a_dropped_stream_is_kept_until_its_memory_is_taken();
  no_memory_is_said();
  trim_leaves_what_is_freed_meanwhile();
  report_the_cost_of_a_hit();
  return check::result();
}
