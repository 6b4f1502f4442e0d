// Tests of opening the CUDA driver: every way in which it can be missing, old, broken, or forked.
#include <thread>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"

using namespace gpuarr;
using fake::in_child;
using fake::Setting;

namespace {

void opens() {
  CHECK_EQ(cuda::device_count(), 2);
  CHECK_EQ(fake::calls("cuDevicePrimaryCtxRetain"), 0);  // counting makes no context
  Device& first = cuda::open_device(0);
  Device& second = cuda::open_device(1);
  CHECK_EQ(&cuda::open_device(0), &first);
  CHECK_EQ(fake::calls("cuDevicePrimaryCtxRetain"), 2);
  CHECK_EQ(fake::calls("cuInit"), 1);
  CHECK_EQ(first.facts().name, "cuda:0");
  CHECK_EQ(second.facts().name, "cuda:1");
  CHECK_EQ(second.facts().ordinal, 1);
  CHECK_EQ(second.facts().description, "Fake GPU 1");
  CHECK_EQ(first.facts().identity, "GPU-ffeeddcc-bbaa-9988-7766-554433221100");
  CHECK_EQ(second.facts().identity, "GPU-ffeeddcc-bbaa-9988-7766-554433221101");
  CHECK_EQ(first.facts().processors, 132);
  CHECK_EQ(first.facts().compute_capability, 90);
  CHECK_EQ(first.facts().l2_bytes, 60 << 20);
  CHECK_EQ(first.facts().lowest_priority, 0);
  CHECK_EQ(first.facts().highest_priority, -5);
  CHECK_EQ(first.target(), "sm_90");
  CHECK_EQ(first.driver(), "CUDA 13.0 (" + fake::file() + ")");
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE,
              "there is no cuda:2; this process sees 2 GPUs, cuda:0 to cuda:1",
              [] { cuda::open_device(2); });
}

void opens_in_threads() {
  std::vector<Device*> opened(8);
  std::vector<std::thread> crowd;
  crowd.reserve(opened.size());
  for (Device*& device : opened)
    crowd.emplace_back([&device] {
      device = &cuda::open_device(0);
      device->own_stream().synchronize();
    });
  for (auto& thread : crowd) thread.join();
  for (Device* device : opened) CHECK_EQ(device, opened[0]);
  CHECK_EQ(fake::live(), 1);  // one stream: one device came of it
}

void one_gpu() {
  CHECK_EQ(cuda::device_count(), 1);
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE, "there is no cuda:1; this process sees 1 GPU, cuda:0",
              [] { cuda::open_device(1); });
}

void no_gpu() {
  CHECK_EQ(cuda::device_count(), 0);
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE, "shows no GPU; check $CUDA_VISIBLE_DEVICES",
              [] { cuda::open_device(0); });
}

void no_driver() {
  CHECK_EQ(cuda::device_count(), 0);
  CHECK_FAILS(GPUARR_ERR_NO_DRIVER, "$GPUARR_LIBCUDA cannot be opened: /nonexistent/libcuda.so.1 (",
              [] { cuda::open_device(0); });
}

// Where a machine has a driver, this one has nothing to see.
void no_driver_anywhere() {
  if (cuda::device_count() > 0) return;
  try {
    cuda::open_device(0);
    CHECK(false);
  } catch (const Error& e) {
    std::string message = e.what();
    if (e.status() != GPUARR_ERR_NO_DRIVER)
      return;  // a driver without a GPU, or the toolkit's stub
    CHECK(message.find("set $GPUARR_LIBCUDA") != std::string::npos);
  }
}

void too_old() {
  CHECK_EQ(cuda::device_count(), 0);
  CHECK_FAILS(GPUARR_ERR_DRIVER_TOO_OLD, "is for CUDA 11.8; CUDA 12.0 or newer is needed",
              [] { cuda::open_device(0); });
}

void lacks_a_function() {
  CHECK_EQ(cuda::device_count(), 0);
  CHECK_FAILS(GPUARR_ERR_DRIVER, "(CUDA 13.0) has no cuLaunchKernel of version 4.0",
              [] { cuda::open_device(0); });
}

void does_not_start() {
  CHECK_EQ(cuda::device_count(), 0);
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuInit failed: CUDA_ERROR_SYSTEM_NOT_READY: as its name says",
              [] { cuda::open_device(0); });
  CHECK_EQ(fake::calls("cuInit"), 1);  // failures are kept
}

void unknown_code() {
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuInit failed: CUDA error 12345", [] { cuda::open_device(0); });
}

void starts_a_process() {
  ForkSafeMutex bystander;  // makes the library follow forks
  CHECK_EQ(cuda::device_count(), 1);
  CHECK_EQ(cuda::open_device(0).facts().name, "cuda:0");
}

void is_forked() {
  Device& device = cuda::open_device(0);
  auto stream = device.create_stream(0);
  auto event = device.create_event();
  void* block = device.allocate(512);
  in_child("forked", [&] {
    CHECK_EQ(cuda::device_count(), 1);
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked from one that had used CUDA",
                [] { cuda::open_device(0); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.memory(); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.allocate(512); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.create_stream(0); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.create_event(); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.synchronize(); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.load(".version 9.0"); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { stream->synchronize(); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { stream->record(*event); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { event->query(); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { device.copy(block, block, 512, *stream); });
    int64_t live = fake::live();
    stream.reset();
    event.reset();
    device.deallocate(block);
    CHECK_EQ(fake::live(), live);  // it is the parent's
  });
  device.deallocate(block);
}

void forks_first() {
  in_child("first use in the child", [] { CHECK_EQ(cuda::open_device(0).facts().name, "cuda:0"); });
}

void destroys_late() {
  Device& device = cuda::open_device(0);
  auto stream = device.create_stream(0);
  void* block = device.allocate(512);
  Setting set("FAKE_CUDA_FAIL", "cuCtxGetCurrent:4");  // CUDA_ERROR_DEINITIALIZED
  stream.reset();
  device.deallocate(block);
  CHECK_EQ(fake::live(), 2);
}

}  // namespace

int main() {
  fake::require();
  {
    Setting set("FAKE_CUDA_DEVICES", "2");
    in_child("opens", opens);
  }
  in_child("opens_in_threads", opens_in_threads);
  in_child("one_gpu", one_gpu);
  {
    Setting set("FAKE_CUDA_DEVICES", "0");
    in_child("no_gpu", no_gpu);
  }
  {
    Setting set("GPUARR_LIBCUDA", "/nonexistent/libcuda.so.1");
    in_child("no_driver", no_driver);
  }
  {
    Setting set("GPUARR_LIBCUDA", "");
    in_child("no_driver_anywhere", no_driver_anywhere);
  }
  {
    Setting set("FAKE_CUDA_DRIVER_VERSION", "11080");
    in_child("too_old", too_old);
  }
  {
    Setting set("FAKE_CUDA_LACKS", "cuLaunchKernel");
    in_child("lacks_a_function", lacks_a_function);
  }
  {
    Setting set("FAKE_CUDA_FAIL", "cuInit:802");
    in_child("does_not_start", does_not_start);
  }
  {
    Setting set("FAKE_CUDA_FAIL", "cuInit:12345");
    in_child("unknown_code", unknown_code);
  }
  {
    Setting set("FAKE_CUDA_FORKS", "1");
    in_child("starts_a_process", starts_a_process);
  }
  in_child("is_forked", is_forked);
  in_child("forks_first", forks_first);
  in_child("destroys_late", destroys_late);
  return check::result();
}
