// Tests of a GPU's memory, copies, fills and compiler facts, on the stand-in for the driver.
#include <thread>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda_fake.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

void memory(Device& device) {
  DeviceMemory before = device.memory();
  CHECK_EQ(before.total, 64 << 20);
  void* block = device.allocate(1 << 20);
  CHECK(block != nullptr);
  CHECK_EQ(reinterpret_cast<uintptr_t>(block) % 512, 0U);
  CHECK_EQ(device.memory().free, before.free - (1 << 20));
  device.deallocate(block);
  CHECK_EQ(device.memory().free, before.free);
  CHECK_EQ(device.allocate(int64_t{1} << 40), nullptr);  // no room is no error here
  Setting full("FAKE_CUDA_OOM_AFTER", "1024");
  CHECK_EQ(device.allocate(2048), nullptr);
}

void errors(Device& device) {
  int code = 0;
  try {
    Setting set("FAKE_CUDA_FAIL", "cuMemAlloc:400");
    device.allocate(512);
  } catch (const Error& e) {
    code = e.native();
  }
  CHECK_EQ(code, 400);
  {
    Setting set("FAKE_CUDA_FAIL", "cuMemAlloc:400");
    CHECK_FAILS(GPUARR_ERR_DRIVER, "cuMemAlloc failed: CUDA_ERROR_INVALID_HANDLE: as its name says",
                [&] { device.allocate(512); });
  }
  {
    Setting set("FAKE_CUDA_FAIL", "cuMemGetInfo:1");
    CHECK_FAILS(GPUARR_ERR_DRIVER, "cuMemGetInfo failed: CUDA_ERROR_INVALID_VALUE",
                [&] { device.memory(); });
  }
  device.synchronize();
}

void copies(Device& device, Device& other) {
  auto stream = device.create_stream(0);
  auto block = static_cast<char*>(device.allocate(64));
  auto foreign = static_cast<char*>(other.allocate(64));
  auto far = other.create_stream(0);
  other.copy_from_host(foreign, "from another device", 20, *far);
  device.copy(block, foreign, 20, *stream);
  device.copy(block + 32, block, 20, *stream);
  char text[20] = "";
  int64_t waits = fake::calls("cuStreamSynchronize");
  device.copy_to_host(text, block + 32, 20, *stream);
  CHECK_EQ(std::string(text), "from another device");
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits);  // who wants to wait does so

  int64_t calls = fake::calls("cuMemcpyAsync");
  device.copy(nullptr, nullptr, 0, *stream);
  device.copy_from_host(nullptr, nullptr, 0, *stream);
  device.copy_to_host(nullptr, nullptr, 0, *stream);
  CHECK_EQ(fake::calls("cuMemcpyAsync"), calls);
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuMemcpyAsync failed: CUDA_ERROR_INVALID_VALUE",
              [&] { device.copy(block, text, 20, *stream); });
  device.deallocate(block);
  other.deallocate(foreign);
}

// Each device is current when it is used, and set only when it is not.
void contexts(Device& device, Device& other) {
  auto here = device.create_stream(0);
  auto there = other.create_stream(0);
  for (int i = 0; i < 3; ++i) {
    here->synchronize();
    there->synchronize();
  }
  int64_t sets = fake::calls("cuCtxSetCurrent");
  for (int i = 0; i < 3; ++i) there->synchronize();
  CHECK_EQ(fake::calls("cuCtxSetCurrent"), sets);
  here->synchronize();
  CHECK_EQ(fake::calls("cuCtxSetCurrent"), sets + 1);
  std::thread([&] { there->synchronize(); }).join();  // a thread that had none
  CHECK_EQ(fake::calls("cuCtxSetCurrent"), sets + 2);
}

Builtin fill_of(void* target, DType dtype, Dims shape, const void* value) {
  Builtin b;
  b.kind = Builtin::Kind::fill;
  b.shape = shape;
  b.target = target;
  b.target_dtype = dtype;
  b.target_strides = dense_strides(shape, Order::c);
  std::memcpy(b.value, value, static_cast<size_t>(size_of(dtype)));
  return b;
}

template <class T>
void check_fill(Device& device, DType dtype, T value, const char* call) {
  auto stream = device.create_stream(0);
  void* block = device.allocate(512);
  int64_t calls = fake::calls(call);
  CHECK(device.run(fill_of(block, dtype, {3, 5}, &value), *stream));
  CHECK_EQ(fake::calls(call), calls + 1);
  std::vector<T> found(15);
  device.copy_to_host(found.data(), block, 15 * sizeof(T), *stream);
  for (T v : found) CHECK_EQ(v, value);
  device.deallocate(block);
}

void fills(Device& device) {
  check_fill<uint8_t>(device, DType::u8, 7, "cuMemsetD8Async");
  check_fill<int16_t>(device, DType::i16, 0x1234, "cuMemsetD16Async");
  check_fill<float>(device, DType::f32, 1.5F, "cuMemsetD32Async");
  check_fill<double>(device, DType::f64, 0.0, "cuMemsetD8Async");
  check_fill<int64_t>(device, DType::i64, -1, "cuMemsetD8Async");
  check_fill<int64_t>(device, DType::i64, 0x1234567812345678, "cuMemsetD32Async");

  auto stream = device.create_stream(0);
  void* block = device.allocate(512);
  double one = 1;
  CHECK(!device.run(fill_of(block, DType::f64, {4}, &one), *stream));  // 8 bytes need a kernel
  Builtin gaps = fill_of(block, DType::u8, {4}, "x");
  gaps.target_strides = {2};
  CHECK(!device.run(gaps, *stream));
  CHECK(device.run(fill_of(nullptr, DType::f64, {0, 3}, &one), *stream));  // nothing to do
  Builtin numbers = fill_of(block, DType::f64, {4}, &one);
  numbers.kind = Builtin::Kind::arange;
  CHECK(!device.run(numbers, *stream));
  device.deallocate(block);
}

void builtin_copies(Device& device) {
  auto stream = device.create_stream(0);
  auto block = static_cast<char*>(device.allocate(512));
  device.copy_from_host(block, "abcdefghijkl", 12, *stream);
  Builtin b;
  b.shape = {3, 4};
  b.source = block;
  b.target = block + 100;
  b.source_dtype = b.target_dtype = DType::u8;
  b.source_strides = b.target_strides = dense_strides(b.shape, Order::f);
  CHECK(device.run(b, *stream));
  char text[13] = "";
  device.copy_to_host(text, block + 100, 12, *stream);
  CHECK_EQ(std::string(text), "abcdefghijkl");

  b.source_dtype = DType::i8;
  CHECK(!device.run(b, *stream));  // a cast
  b.source_dtype = DType::u8;
  b.source_strides = dense_strides(b.shape, Order::c);
  CHECK(!device.run(b, *stream));  // a transpose
  b.shape = {1, 4};
  b.source_strides = {77, 1};
  b.target_strides = {1, 1};
  CHECK(device.run(b, *stream));  // strides of axes with one index say nothing
  device.deallocate(block);
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  memory(device);
  errors(device);
  copies(device, other);
  contexts(device, other);
  fills(device);
  builtin_copies(device);
  CHECK_EQ(fake::live(), 0);
  return check::result();
}
