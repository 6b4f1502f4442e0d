// Tests of what is left of a GPU after a kernel has faulted, on the stand-in for the driver.
#include "cuda/backend.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"
#include "device/pool.hpp"

using namespace gpuarr;
using fake::in_child;
using fake::Setting;

namespace {

const char* ptx = ".version 8.3\n.target sm_80\n.entry wild() {}\n.entry tame() {}\n";

void launch(Device& device, const char* name, Stream& stream, int checks = 0) {
  RawLaunch shape;
  shape.checks = checks;
  device.load_raw(ptx)->function(name)->launch(shape, nullptr, 0, stream);
}

void launch_wild(Device& device, Stream& stream, const char* code, int checks = 0) {
  Setting set("FAKE_CUDA_FAULT", code);
  launch(device, "wild", stream, checks);
}

// What every later call says.
void is_lost(Device& device, Stream& stream, Event& event, void* block) {
  const char* before = "cuda:0 faulted before: cuStreamSynchronize failed: ";
  char bytes[8] = {};
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.synchronize(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.memory(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.allocate(512); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.create_stream(0); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.create_event(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.load(ptx); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.load_raw(ptx); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.copy(block, block, 8, stream); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.copy_to_host(bytes, block, 8, stream); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { device.copy_from_host(block, bytes, 8, stream); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { stream.synchronize(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { stream.query(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { stream.record(event); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { stream.wait(event); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { stream.is_capturing(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { event.synchronize(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, before, [&] { event.query(); });
}

void everything_says_so() {
  Device& device = cuda::open_device(0);
  auto stream = device.create_stream(0);
  auto event = device.create_event();
  auto module = device.load_raw(ptx);
  auto function = module->function("tame");
  auto plain = device.load(ptx)->function("tame");
  void* block = device.allocate(512);
  void* pooled = device.pool().allocate(512, *stream);
  void* large = device.pool().allocate(4 << 20, *stream);
  launch(device, "tame", *stream);
  launch_wild(device, *stream, "700");
  CHECK_FAILS(GPUARR_ERR_FAULT,
              "cuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS: as its name says; a kernel "
              "faulted on cuda:0: \"wild\" was launched last, but faults show late, and an earlier "
              "launch may be to blame; to find the place, run the program under compute-sanitizer, "
              "with GPUARR_CHECK=memory, or on the CPU device; only a new process can use cuda:0 "
              "again",
              [&] { stream->synchronize(); });
  int code = 0;
  try {
    device.synchronize();
  } catch (const Error& e) {
    code = e.native();
  }
  CHECK_EQ(code, 700);
  is_lost(device, *stream, *event, block);
  RawLaunch shape;
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before",
              [&] { function->launch(shape, nullptr, 0, *stream); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] {
    plain->launch({1, 1, 0}, &shape, 16, *stream);
  });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { function->attribute(1); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { function->set_attribute(10, 1); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { function->resident_blocks(32, 0); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { function->best_block(0); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { module->function("wild"); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { module->global("x"); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { device.pool().trim(); });

  // Nothing can be freed, and nothing is tried; the process goes on.
  int64_t calls = fake::calls("cuMemFree") + fake::calls("cuModuleUnload");
  device.pool().deallocate(pooled, *stream);
  device.pool().deallocate(large, *stream);
  device.deallocate(block);
  function.reset();
  plain.reset();
  module.reset();
  event.reset();
  stream.reset();
  CHECK_EQ(fake::calls("cuMemFree") + fake::calls("cuModuleUnload"), calls);

  // Another GPU is as good as ever.
  Device& other = cuda::open_device(1);
  launch(other, "tame", other.own_stream());
  other.synchronize();
}

void an_assert_is_told_apart() {
  Device& device = cuda::open_device(0);
  launch_wild(device, device.own_stream(), "710");
  CHECK_FAILS(GPUARR_ERR_ASSERT,
              "CUDA_ERROR_ASSERT: as its name says; an assert() failed in a kernel on cuda:0 "
              "(\"wild\" was launched last), and has written where to stderr; only a new process",
              [&] { device.synchronize(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "cuda:0 faulted before: cuCtxSynchronize failed: CUDA_ERROR_ASSERT",
              [&] { device.synchronize(); });
}

void checks_name_the_kernel() {
  Device& device = cuda::open_device(0);
  launch(device, "tame", device.own_stream(), 1);
  CHECK_FAILS(GPUARR_ERR_FAULT, "as its name says; the kernel \"wild\" faulted on cuda:0; to find",
              [&] { launch_wild(device, device.own_stream(), "700", 1); });
}

void checks_name_no_other_kernel() {
  Device& device = cuda::open_device(0);
  launch_wild(device, device.own_stream(), "700");
  auto module = [&] { launch(device, "tame", device.own_stream(), 1); };
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted on cuda:0: \"wild\" was launched last", module);
}

void checks_name_the_assert() {
  Device& device = cuda::open_device(0);
  CHECK_FAILS(GPUARR_ERR_ASSERT, "an assert() failed in the kernel \"wild\", and has written",
              [&] { launch_wild(device, device.own_stream(), "710", 1); });
}

void the_hardware_fails() {
  Device& device = cuda::open_device(0);
  Setting set("FAKE_CUDA_FAIL", "cuCtxSynchronize:214");
  CHECK_FAILS(GPUARR_ERR_FAULT,
              "cuCtxSynchronize failed: CUDA error 214; the hardware of cuda:0 failed; only a new",
              [&] { device.synchronize(); });
}

void codes(const char* code, gpuarr_status status) {
  Device& device = cuda::open_device(0);
  launch_wild(device, device.own_stream(), code);
  CHECK_FAILS(status, "only a new process can use cuda:0 again", [&] { device.synchronize(); });
  CHECK_FAILS(GPUARR_ERR_FAULT, "faulted before", [&] { device.synchronize(); });
}

// Not every failure is a fault.
void passes_by() {
  Device& device = cuda::open_device(0);
  {
    Setting set("FAKE_CUDA_FAIL", "cuCtxSynchronize:999");
    CHECK_FAILS(GPUARR_ERR_DRIVER, "cuCtxSynchronize failed: CUDA error 999",
                [&] { device.synchronize(); });
  }
  device.synchronize();
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  in_child("everything_says_so", everything_says_so);
  in_child("an_assert_is_told_apart", an_assert_is_told_apart);
  in_child("checks_name_the_kernel", checks_name_the_kernel);
  in_child("checks_name_no_other_kernel", checks_name_no_other_kernel);
  in_child("checks_name_the_assert", checks_name_the_assert);
  in_child("the_hardware_fails", the_hardware_fails);
  in_child("passes_by", passes_by);
  for (const char* code :
       {"214", "220", "226", "700", "702", "709", "714", "715", "716", "717", "718", "719", "721"})
    in_child(code, [&] { codes(code, GPUARR_ERR_FAULT); });
  return check::result();
}
