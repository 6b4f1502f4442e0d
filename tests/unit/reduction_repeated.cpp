// A repeated reduction asks neither the heap nor the device for memory, on $GPUARR_TEST_DEVICE.
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "device/pool.hpp"
#include "kernel/reduction.hpp"

namespace {

std::atomic<int64_t> heap_requests = 0;

}  // namespace

// All of the program's, the library's among them.
void* operator new(size_t bytes) {
  ++heap_requests;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t /*bytes*/) noexcept { std::free(memory); }

using namespace gpuarr;

namespace {

struct Requests {
  int64_t heap, pool, device;
};

// What ten calls ask for, after some that compile the kernel and fill the pool.
template <class Call>
Requests of_ten(Stream& stream, Call&& call) {
  auto now = [&] {
    const int64_t heap = heap_requests;
    const MemoryStatistics s = stream.device().pool().statistics();
    return Requests{heap, s.allocations, s.device_calls};
  };
  for (int k = 0; k < 3; ++k) call();
  stream.synchronize();
  Requests before = now();
  before.heap = heap_requests;  // asking asks, too
  for (int k = 0; k < 10; ++k) call();
  const Requests after = now();
  stream.synchronize();
  return {after.heap - before.heap, after.pool - before.pool, after.device - before.device};
}

// `shared`: whether blocks meet in memory of the pool.
void check_repeated(Device& device, const Dims& shape, const std::vector<int32_t>& axes,
                    bool shared) {
  auto stream = device.create_stream(0);
  Reduction kernel({"float32 x", "float32 y", "x", "a + b", "y = a", "0"}, {});
  const Array x = Array::empty(*stream, DType::f32, shape);
  const Argument inputs[] = {{&x, nullptr}};
  const AxisRequest request = {axes, false, false};
  const Array* made[] = {nullptr};
  const Array y = kernel.call(inputs, made, request, stream.get()).front().second;
  const Array* given[] = {&y};

  const Requests call = of_ten(*stream, [&] { kernel.call(inputs, given, request, stream.get()); });
  CHECK_EQ(call.heap, 0);
  CHECK_EQ(call.pool, shared ? 10 : 0);
  CHECK_EQ(call.device, 0);
  const Requests making =
      of_ten(*stream, [&] { kernel.call(inputs, made, request, stream.get()); });
  CHECK_EQ(making.pool, shared ? 20 : 10);
  CHECK_EQ(making.device, 0);
  PreparedCall prepared = kernel.prepare(inputs, given, request);
  const Requests launch = of_ten(*stream, [&] { prepared.launch(*stream); });
  CHECK_EQ(launch.heap, 0);
  CHECK_EQ(launch.pool, 0);
  CHECK_EQ(launch.device, 0);

  // Of the last block of a whole, two times, into memory of the caller's.
  Reduction::Part block = {inputs, request, {shape, shape}};
  for (int axis = 0; axis < shape.size(); ++axis) block.piece.whole[axis] *= 2;
  const int64_t bytes = kernel.set_bytes(block);
  const Array sets = Array::empty(*stream, DType::u8, {2, bytes});
  const Array rows[] = {sets.view({{1, bytes}, {bytes, 1}}),
                        sets.view({{1, bytes}, {bytes, 1}}, bytes)};
  const Requests stages = of_ten(*stream, [&] {
    for (const Array& row : rows) kernel.partial_into(row, block, stream.get());
    kernel.finish(sets, block, given, stream.get());
  });
  CHECK_EQ(stages.heap, 0);
  CHECK_EQ(stages.pool, shared ? 20 : 0);
  CHECK_EQ(stages.device, 0);
}

}  // namespace

int main() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  Device* device = nullptr;
  try {
    device = &open_device(name == nullptr || *name == '\0' ? "host" : name);
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  check_repeated(*device, {1000}, {0}, false);
  check_repeated(*device, {1 << 22}, {0}, true);
  check_repeated(*device, {1 << 14, 300}, {0}, true);
  check_repeated(*device, {1 << 14, 300}, {1}, false);
  return check::result();
}
