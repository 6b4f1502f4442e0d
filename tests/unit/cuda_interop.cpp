// Tests of memory that others made, and of who is waited for before they get it back, on the
// stand-in for the driver.
#include <cstdlib>

#include "array/array.hpp"
#include "cuda/backend.hpp"
#include "cuda_fake.hpp"
#include "gpuarr.h"

using namespace gpuarr;
using fake::in_child;
using fake::Setting;

namespace {

void count(void* user) { ++*static_cast<int*>(user); }

Array wrapped(Device& device, void* memory, int& returns) {
  Array out = Array::wrap(device, DType::f64, {{8}, {1}}, memory);
  out.buffer->set_deleter({count, &returns});
  return out;
}

// Memory of another GPU, pageable memory and what is neither.
void where_memory_is() {
  Setting two("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  void* here = device.allocate(512);
  void* there = other.allocate(512);
  double on_the_host[8] = {};
  device.check_foreign(here);
  device.check_foreign(static_cast<char*>(here) + 100);
  other.check_foreign(there);
  CHECK_FAILS(GPUARR_ERR_DEVICE, "is memory of cuda:1, but the device is cuda:0",
              [&] { device.check_foreign(there); });
  CHECK_FAILS(
      GPUARR_ERR_DEVICE,
      "is ordinary memory of the host, which cuda:0 cannot use on this machine; give memory "
      "of the device, managed or registered memory",
      [&] { device.check_foreign(on_the_host); });
  for (const char* kind : {"managed", "registered", "readable"}) {
    Setting set("FAKE_CUDA_POINTERS", kind);
    device.check_foreign(on_the_host);
  }
  Setting broken("FAKE_CUDA_FAIL", "cuPointerGetAttributes:1");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuPointerGetAttributes failed",
              [&] { device.check_foreign(here); });
  device.deallocate(here);
  other.deallocate(there);
}

void only_streams_at_work_are_waited_for() {
  Device& device = cuda::open_device(0);
  auto stream = device.create_stream(0), idle = device.create_stream(0);
  void* memory = device.allocate(64);
  int returns = 0;
  int64_t queries = fake::calls("cuStreamQuery"), waits = fake::calls("cuEventSynchronize");
  wrapped(device, memory, returns);  // used nowhere
  CHECK_EQ(returns, 1);
  CHECK_EQ(fake::calls("cuStreamQuery"), queries);
  {
    Array array = wrapped(device, memory, returns);
    for (int i = 0; i < 3; ++i) array.buffer->used_in(*stream);
    array.buffer->used_in(*idle);
  }
  CHECK_EQ(returns, 2);
  CHECK_EQ(fake::calls("cuStreamQuery"), queries + 2);
  CHECK_EQ(fake::calls("cuEventSynchronize"), waits);
  {
    Array array = wrapped(device, memory, returns);
    array.buffer->used_in(*stream);
    Setting busy("FAKE_CUDA_BUSY", "1");
    array = {};
  }
  CHECK_EQ(returns, 3);
  CHECK_EQ(fake::calls("cuEventSynchronize"), waits + 1);
  CHECK_EQ(fake::calls("cuStreamSynchronize"), 0);
  {  // asking a stream that is captured would end the capture
    queries = fake::calls("cuStreamQuery");
    Array array = wrapped(device, memory, returns);
    array.buffer->used_in(*stream);
    Setting captures("FAKE_CUDA_CAPTURES", "1");
    array = {};
    CHECK_EQ(fake::calls("cuStreamQuery"), queries);
  }
  CHECK_EQ(returns, 4);
  device.deallocate(memory);
}

void memory_comes_back_from_a_lost_device() {
  Device& device = cuda::open_device(0);
  auto stream = device.create_stream(0);
  int returns = 0;
  double memory[8] = {};
  Array array = wrapped(device, memory, returns);
  array.buffer->used_in(*stream);
  {
    Setting fault("FAKE_CUDA_FAIL", "cuStreamSynchronize:700");
    CHECK_FAILS(GPUARR_ERR_FAULT, "cuStreamSynchronize failed", [&] { stream->synchronize(); });
  }
  array = {};
  CHECK_EQ(returns, 1);
}

// Through the API: nothing is asked of the driver where a tensor goes out and comes in in one
// stream, and another stream waits in the driver, not on the host.
void a_trip_through_dlpack_asks_little() {
  gpuarr_device* device = nullptr;
  gpuarr_array *array = nullptr, *back = nullptr;
  gpuarr_stream* consumer = nullptr;
  DLManagedTensorVersioned* tensor = nullptr;
  const int64_t shape = 10;
  CHECK_EQ(gpuarr_device_open(&device, "cuda"), GPUARR_OK);
  CHECK_EQ(gpuarr_array_empty(&array, device, GPUARR_F32, 1, &shape, 0, nullptr), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&consumer, device, 0, 0), GPUARR_OK);
  auto asked = [] {
    int64_t sum = 0;
    for (const char* name : {"cuStreamQuery", "cuPointerGetAttributes", "cuEventRecord",
                             "cuStreamWaitEvent", "cuEventSynchronize"})
      sum += fake::calls(name);
    return sum;
  };
  int64_t before = asked();
  CHECK_EQ(gpuarr_array_to_dlpack(&tensor, array, nullptr), GPUARR_OK);
  CHECK_EQ(gpuarr_array_from_dlpack(&back, tensor, nullptr, nullptr), GPUARR_OK);
  gpuarr_array_release(back);
  CHECK_EQ(asked(), before);
  CHECK_EQ(gpuarr_array_to_dlpack(&tensor, array, consumer), GPUARR_OK);
  CHECK_EQ(gpuarr_array_from_dlpack(&back, tensor, device, consumer), GPUARR_OK);
  CHECK_EQ(asked(), before + 4);  // an event each way
  gpuarr_array_release(back);
  gpuarr_array_release(array);
  gpuarr_stream_release(consumer);
}

}  // namespace

int main() {
  fake::require();
  in_child("where memory is", where_memory_is);
  in_child("only streams at work are waited for", only_streams_at_work_are_waited_for);
  in_child("memory comes back from a lost device", memory_comes_back_from_a_lost_device);
  in_child("a trip through DLPack asks little", a_trip_through_dlpack_asks_little);
  return check::result();
}
