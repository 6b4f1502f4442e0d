// Tests of a GPU's memory of every kind, on the stand-in for the driver.
#include "backends.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"
#include "device/function_allocator.hpp"
#include "device/pool.hpp"
#include "gpuarr.h"

using namespace gpuarr;
using fake::Setting;

namespace {

// ThreadSanitizer takes 15 s for a compile, and finds nothing in what one thread does.
#ifdef __SANITIZE_THREAD__
constexpr bool of_threads = true;
#else
constexpr bool of_threads = false;
#endif

void kinds_of_blocks(Device& device) {
  const struct {
    MemoryKind kind;
    const char *make, *free;
  } kinds[] = {{MemoryKind::device, "cuMemAlloc", "cuMemFree"},
               {MemoryKind::managed, "cuMemAllocManaged", "cuMemFree"},
               {MemoryKind::pinned, "cuMemHostAlloc", "cuMemFreeHost"}};
  for (const auto& k : kinds) {
    const int64_t live = fake::live(), made = fake::calls(k.make), freed = fake::calls(k.free);
    void* block = device.allocate(4096, k.kind);
    CHECK(block != nullptr);
    CHECK_EQ(fake::calls(k.make), made + 1);
    CHECK_EQ(fake::live(), live + 1);
    device.deallocate(block, k.kind);
    CHECK_EQ(fake::calls(k.free), freed + 1);
    CHECK_EQ(fake::live(), live);
    CHECK(device.allocate(int64_t{1} << 40, k.kind) == nullptr);  // no room
    Setting set("FAKE_CUDA_FAIL", std::string(k.make) + ":201");
    const std::string message = std::string(k.make) + " failed: CUDA_ERROR_INVALID_CONTEXT";
    CHECK_FAILS(GPUARR_ERR_DRIVER, message.c_str(), [&] { device.allocate(4096, k.kind); });
  }
}

// The driver's pool is made when it is first needed, and memory of it goes back in stream order.
void the_drivers_pool(Device& device) {
  const int64_t live = fake::live();
  auto allocator = make_driver_allocator(device);
  allocator->trim();
  CHECK_EQ(fake::calls("cuMemPoolCreate"), 0);
  auto stream = device.create_stream(0);
  void* a = allocator->allocate(1000, *stream);
  void* b = allocator->allocate(100000, *stream);
  CHECK(a != b);
  CHECK_EQ(fake::calls("cuMemPoolCreate"), 1);
  CHECK_EQ(fake::calls("cuMemAllocFromPoolAsync"), 2);
  CHECK_EQ(allocator->statistics().used, 1024 + 100352);
  CHECK_EQ(device.budget().held(), 1024 + 100352);
  CHECK(allocator->find(static_cast<char*>(b) + 99999).state == MemoryFound::State::live);
  CHECK(allocator->find(b).begin == b);
  CHECK(allocator->deallocate(a, *stream));
  CHECK(!allocator->deallocate(a, *stream));
  CHECK_EQ(fake::calls("cuMemFreeAsync"), 1);
  CHECK(allocator->deallocate(b, *stream));
  CHECK_EQ(device.budget().held(), 0);
  allocator->trim();
  CHECK_EQ(fake::calls("cuMemPoolTrimTo"), 1);
  CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, "not enough memory for 1073741824 bytes on cuda:0",
              [&] { allocator->allocate(1 << 30, *stream); });
  Setting set("FAKE_CUDA_FAIL", "cuMemAllocFromPoolAsync:201");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuMemAllocFromPoolAsync failed",
              [&] { allocator->allocate(1000, *stream); });
  CHECK_EQ(device.budget().held(), 0);
  stream.reset();
  CHECK_EQ(fake::live(), live);
}

// A pool that goes gives all of its blocks back; another allocator's caches make room.
void caches_make_room_for_others(Device& device) {
  auto stream = device.create_stream(0);
  auto pool = make_allocator<Pool>(device, MemoryKind::managed);
  const int64_t room = device.memory().free;
  void* data = pool->allocate(40 << 20, *stream);
  CHECK(pool->deallocate(data, *stream));
  CHECK(device.memory().free < room);
  void* other = device.pool().allocate(40 << 20, *stream);
  CHECK(other != nullptr);
  CHECK_EQ(pool->statistics().cached, 0);
  device.pool().deallocate(other, *stream);
  device.pool().trim();
  data = pool->allocate(3 << 20, *stream);
  CHECK(pool->deallocate(data, *stream));
  pool.reset();
  CHECK_EQ(device.memory().free, room);
}

// What may outlive the streams that it was used in: an array, page-locked memory, a graph.
struct Shared {
  gpuarr_array* x = nullptr;
  void* pinned = nullptr;
  gpuarr_graph_exec* graph = nullptr;
};

Shared make_shared_things(gpuarr_device* device) {
  Shared out;
  const int64_t length = 300000;
  gpuarr_stream* stream = nullptr;
  gpuarr_graph* graph = nullptr;
  CHECK_EQ(gpuarr_array_ones(&out.x, device, GPUARR_F32, 1, &length, 0, nullptr), GPUARR_OK);
  CHECK_EQ(gpuarr_pinned_allocate(&out.pinned, device, length * 4), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&stream, device, 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_begin_capture(stream), GPUARR_OK);
  CHECK_EQ(gpuarr_array_fill(out.x, gpuarr_arg_f32(1), stream), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_end_capture(&graph, stream), GPUARR_OK);
  CHECK_EQ(gpuarr_graph_instantiate(&out.graph, graph), GPUARR_OK);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  return out;
}

void use_in_a_stream(gpuarr_device* device, const Shared& it) {
  gpuarr_stream* stream = nullptr;
  gpuarr_array* sum = nullptr;
  CHECK_EQ(gpuarr_stream_create(&stream, device, 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_sum(&sum, it.x, nullptr, GPUARR_ALL_AXES, 0, stream), GPUARR_OK);
  CHECK_EQ(gpuarr_array_read_async(it.pinned, 1200000, nullptr, it.x, stream), GPUARR_OK);
  CHECK_EQ(gpuarr_graph_exec_launch(it.graph, stream), GPUARR_OK);
  gpuarr_array_release(sum);
  gpuarr_stream_release(stream);
}

// A stream goes with the program's last reference to it: neither the memory in which blocks of its
// launches met keeps it, which is used again, 64 of them at a time, nor what it worked on.
void streams_go(gpuarr_device* device) {
  const Shared shared = make_shared_things(device);
  int64_t used[2] = {}, live[2] = {};
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < 130; ++k) use_in_a_stream(device, shared);
    CHECK_EQ(gpuarr_memory_trim(device), GPUARR_OK);
    CHECK_EQ(gpuarr_memory_statistic(&used[round], device, GPUARR_MEMORY_USED), GPUARR_OK);
    live[round] = fake::live();
  }
  CHECK(used[1] <= used[0] + 64 * 32768);
  CHECK(live[1] <= live[0] + 64);
  gpuarr_graph_exec_release(shared.graph);
  CHECK_EQ(gpuarr_pinned_free(device, shared.pinned), GPUARR_OK);
  gpuarr_array_release(shared.x);
}

}  // namespace

int main() {
  fake::require();
  try {
    Device& device = open_device("cuda:0");
    kinds_of_blocks(device);
    the_drivers_pool(device);
    caches_make_room_for_others(device);
    gpuarr_device* opened = nullptr;
    CHECK_EQ(gpuarr_device_open(&opened, "cuda:0"), GPUARR_OK);
    if (!of_threads) streams_go(opened);
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__) << e.what() << '\n';
  }
  return check::result();
}
