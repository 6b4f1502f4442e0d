// Tests of launching raw kernels on a GPU, on the stand-in for the driver.
#include <chrono>
#include <thread>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"
#include "gpuarr/raw.h"

using namespace gpuarr;
using fake::Setting;

namespace {

const char* ptx =
    ".version 8.3\n.target sm_80\n"
    ".visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) {}\n"
    ".visible .entry none() {}\n";

struct Arguments {  // as they are packed
  float a;
  const void *x, *y;
  int n;
};

RawLaunch shape(Dim3 grid, Dim3 block, int64_t shared_bytes = 0) {
  RawLaunch launch;
  launch.grid = grid;
  launch.block = block;
  launch.shared_bytes = shared_bytes;
  return launch;
}

void passes_all(Device& device, Device& other) {
  auto stream = device.create_stream(0);
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  Arguments arguments{2.5F, &device, &other, 77};
  other.synchronize();  // its context is current now
  saxpy->launch(shape({7, 6, 5}, {32, 4, 2}, 1000), &arguments, 28, *stream);
  fake_launch last = fake::last_launch();
  CHECK_EQ(std::string(last.name), "saxpy");
  CHECK_EQ(last.device, 0);
  CHECK_EQ(last.stream, stream->native());
  CHECK_EQ(last.shared_bytes, 1000U);
  CHECK_EQ(last.bytes, 28);
  CHECK(std::memcmp(last.parameters, &arguments, 28) == 0);
  for (size_t d = 0; d < 3; ++d) {
    CHECK_EQ(last.grid[d], 7U - d);
    CHECK_EQ(last.block[d], d == 0 ? 32U : d == 1 ? 4U : 2U);
    CHECK_EQ(last.cluster[d], 0U);
  }
  CHECK_EQ(last.cooperative, 0U);
  device.load_raw(ptx)->function("none")->launch(shape({1}, {1}), nullptr, 0, *stream);
  CHECK_EQ(std::string(fake::last_launch().name), "none");
  CHECK_EQ(fake::calls("cuLaunchKernelEx"), 0);
}

void cooperates_and_clusters(Device& device) {
  auto stream = device.create_stream(0);
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  Arguments arguments{};
  RawLaunch launch = shape({264}, {1024});
  launch.cooperative = true;
  saxpy->launch(launch, &arguments, 28, *stream);
  CHECK_EQ(fake::last_launch().cooperative, 1U);
  CHECK_EQ(fake::last_launch().bytes, 28);
  launch.grid.x = 265;
  CHECK_FAILS(GPUARR_ERR_ARGUMENT,
              "\"saxpy\" cannot be launched with grid (265, 1, 1), block (1024, 1, 1) and 0 bytes "
              "of dynamic shared memory: CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: as its name "
              "says; cuda:0 takes grids up to (2147483647, 65535, 65535), blocks up to (1024, "
              "1024, 64), and of this kernel 1024 threads and 231424 bytes of dynamic shared "
              "memory in a block; cooperative, at most 264 blocks of this size",
              [&] { saxpy->launch(launch, &arguments, 28, *stream); });

  launch = shape({8, 2}, {32});
  launch.cluster = {4, 2, 1};
  launch.cooperative = true;
  saxpy->launch(launch, &arguments, 28, *stream);
  CHECK_EQ(fake::last_launch().cluster[0], 4U);
  CHECK_EQ(fake::last_launch().cluster[1], 2U);
  CHECK_EQ(fake::last_launch().cluster[2], 1U);
  CHECK_EQ(fake::last_launch().cooperative, 1U);
  launch.cluster = {16, 1, 1};
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, ", cluster (16, 1, 1) and 0 bytes",
              [&] { saxpy->launch(launch, &arguments, 28, *stream); });
  launch.cluster = {3, 1, 1};
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "the grid has to be a multiple of the cluster",
              [&] { saxpy->launch(launch, &arguments, 28, *stream); });
}

void has_no_clusters() {
  Setting set("FAKE_CUDA_CC", "86");
  fake::in_child("compute capability 8.6", [] {
    Device& device = cuda::open_device(0);
    RawLaunch launch = shape({8}, {32});
    launch.cluster = {4, 1, 1};
    Arguments arguments{};
    auto saxpy = device.load_raw(ptx)->function("saxpy");
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "clusters need compute capability 9.0, and it has 8.6",
                [&] { saxpy->launch(launch, &arguments, 28, device.own_stream()); });
  });
}

void opts_in_to_shared_memory(Device& device) {
  auto stream = device.create_stream(0);
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  Arguments arguments{};
  int64_t sets = fake::calls("cuFuncSetAttribute");
  saxpy->launch(shape({1}, {32}, 47 << 10), &arguments, 28, *stream);
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), sets);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES), 47 << 10);
  for (int i = 0; i < 3; ++i)
    saxpy->launch(shape({1}, {32}, (100 + i) << 10), &arguments, 28, *stream);
  CHECK_EQ(fake::last_launch().shared_bytes, 102U << 10);
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), sets + 1);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES), 226 << 10);
  for (int64_t bytes : {int64_t{227} << 10, int64_t{1} << 32})
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "and 231424 bytes of dynamic shared memory in a block",
                [&] { saxpy->launch(shape({1}, {32}, bytes), &arguments, 28, *stream); });
  // What was set by hand holds until a launch asks for more.
  saxpy->set_attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1000);
  saxpy->launch(shape({1}, {32}, 1000), &arguments, 28, *stream);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES), 1000);
  saxpy->launch(shape({1}, {32}, 1001), &arguments, 28, *stream);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES), 226 << 10);
}

// To the driver they are one kernel.
void shares_a_limit() {
  Device& device = cuda::open_device(0);
  auto module = device.load_raw(ptx);
  auto one = module->function("saxpy"), other = module->function("saxpy");
  Arguments arguments{};
  one->launch(shape({1}, {32}, 100 << 10), &arguments, 28, device.own_stream());
  other->set_attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1000);
  one->launch(shape({1}, {32}, 100 << 10), &arguments, 28, device.own_stream());
  CHECK_EQ(fake::last_launch().shared_bytes, 100U << 10);
}

void reads_and_sets_attributes(Device& device) {
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_MAX_THREADS), 1024);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_SHARED_BYTES), 1024);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_REGISTERS), 32);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_BINARY_VERSION), 90);
  for (int32_t attribute = 1; attribute <= GPUARR_ATTRIBUTE_CLUSTER_POLICY; ++attribute)
    saxpy->attribute(attribute);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_SHARED_CARVEOUT), -1);
  saxpy->set_attribute(GPUARR_ATTRIBUTE_SHARED_CARVEOUT, 50);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_SHARED_CARVEOUT), 50);
  saxpy->set_attribute(GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER, 1);
  CHECK_EQ(saxpy->attribute(GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER), 1);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "attribute 10 of \"saxpy\" cannot be 101 on cuda:0",
              [&] { saxpy->set_attribute(GPUARR_ATTRIBUTE_SHARED_CARVEOUT, 101); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "attribute 5 of \"saxpy\" cannot be 3",
              [&] { saxpy->set_attribute(GPUARR_ATTRIBUTE_REGISTERS, 3); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "at most 231424 bytes", [&] {
    saxpy->set_attribute(GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, int64_t{1} << 40);
  });
  for (int32_t attribute : {0, -1, int32_t{GPUARR_ATTRIBUTE_COOPERATIVE}, 99})
    CHECK_FAILS(GPUARR_ERR_ARGUMENT, "is not an attribute of compiled kernels",
                [&] { saxpy->attribute(attribute); });
  Setting set("FAKE_CUDA_FAIL", "cuFuncGetAttribute:1");
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "the driver (CUDA 13.0) does not know attribute 12",
              [&] { saxpy->attribute(GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X); });
}

void knows_occupancy(Device& device) {
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  CHECK_EQ(saxpy->resident_blocks(256, 0), 8);
  int64_t calls = fake::calls("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  CHECK_EQ(saxpy->resident_blocks(256, 0), 8);
  CHECK_EQ(fake::calls("cuOccupancyMaxActiveBlocksPerMultiprocessor"), calls);
  CHECK_EQ(saxpy->resident_blocks(128, 0), 16);
  CHECK_EQ(saxpy->resident_blocks(128, 100 << 10), 2);  // opted in to
  CHECK_EQ(saxpy->resident_blocks(128, 300 << 10), 0);
  CHECK_EQ(saxpy->best_block(0), 1024);
  calls = fake::calls("cuOccupancyMaxPotentialBlockSize");
  CHECK_EQ(saxpy->best_block(0), 1024);
  CHECK_EQ(fake::calls("cuOccupancyMaxPotentialBlockSize"), calls);
  CHECK_EQ(saxpy->best_block(40 << 10), 512);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT,
              "no block of \"saxpy\" with 307200 bytes of dynamic shared memory fits",
              [&] { saxpy->best_block(300 << 10); });
}

void says_what_is_wrong(Device& device) {
  auto stream = device.create_stream(0);
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  Arguments arguments{};
  CHECK_FAILS(GPUARR_ERR_ARGUMENT,
              "\"saxpy\" cannot be launched with grid (1, 1, 1), block (2048, 1, 1) and 0 bytes",
              [&] { saxpy->launch(shape({1}, {2048}), &arguments, 28, *stream); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "with grid (1, 65536, 1)", [&] {
    saxpy->launch(shape({1, 65536}, {1}), &arguments, 28, *stream);
  });
  Setting set("FAKE_CUDA_FAIL", "cuLaunchKernel:2");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuLaunchKernel failed: CUDA_ERROR_OUT_OF_MEMORY",
              [&] { saxpy->launch(shape({1}, {1}), &arguments, 28, *stream); });
}

void waits_where_there_are_checks(Device& device) {
  auto stream = device.create_stream(0);
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  Arguments arguments{};
  int64_t waits = fake::calls("cuStreamSynchronize");
  RawLaunch launch = shape({1}, {1});
  saxpy->launch(launch, &arguments, 28, *stream);
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits);
  launch.checks = 1;
  saxpy->launch(launch, &arguments, 28, *stream);
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits + 2);  // before, for older work, and after
  Setting set("FAKE_CUDA_CAPTURES", "1");
  saxpy->launch(launch, &arguments, 28, *stream);
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits + 2);
}

void works_from_threads(Device& device) {
  auto saxpy = device.load_raw(ptx)->function("saxpy");
  std::vector<std::thread> crowd;
  for (int t = 0; t < 4; ++t)
    crowd.emplace_back([&, t] {
      auto stream = device.create_stream(0);
      Arguments arguments{};
      for (int i = 0; i < 50; ++i) {
        saxpy->launch(shape({1}, {32}, 64 << 10), &arguments, 28, *stream);
        CHECK_EQ(saxpy->resident_blocks(64 << (t % 2), 0), 32 >> (t % 2));
        saxpy->best_block(t << 10);
      }
    });
  for (auto& thread : crowd) thread.join();
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  has_no_clusters();
  fake::in_child("shares_a_limit", shares_a_limit);
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  passes_all(device, other);
  cooperates_and_clusters(device);
  opts_in_to_shared_memory(device);
  reads_and_sets_attributes(device);
  knows_occupancy(device);
  says_what_is_wrong(device);
  waits_where_there_are_checks(device);
  works_from_threads(device);
  CHECK_EQ(fake::live(), 0);
  return check::result();
}
