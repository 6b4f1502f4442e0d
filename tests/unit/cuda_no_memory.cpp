// What a GPU's driver made, and its memory, come back where the program's own memory is out, on the
// stand-in for the driver.
#include <new>
#include <string>
#include <utility>

#include "backends.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"
#include "failing_new.hpp"
#include "gpuarr.h"

using namespace gpuarr;

namespace {

const std::string ptx =
    ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry none() { ret; }\n";

// Calls it with one allocation more each time until it goes well; how often it failed.
template <class Call>
int until_it_goes_well(Call&& call) {
  int failures = 0;
  for (bool well = false; !well && failures < 5000; failures += !well) {
    good_allocations = failures;
    well = call();
    good_allocations = -1;
  }
  return failures;
}

// What the driver made is destroyed where there is no object to hold it.
template <class Make>
void nothing_is_lost(Make&& make) {
  const int64_t live = fake::live();
  decltype(make()) made;
  const int failures = until_it_goes_well([&] {
    try {
      made = make();
    } catch (const std::bad_alloc&) {
      good_allocations = -1;
      CHECK_EQ(fake::live(), live);
      return false;
    }
    return true;
  });
  CHECK(failures > 0);
  made.reset();
  CHECK_EQ(fake::live(), live);
}

int64_t used(gpuarr_device* device) {
  int64_t bytes = -1;
  CHECK_EQ(gpuarr_memory_statistic(&bytes, device, GPUARR_MEMORY_USED), GPUARR_OK);
  return bytes;
}

// Blocks of a launch meet in memory of the stream's, which a stream makes once.
void workspaces_are_given_back() {
  const int64_t length = 300000;
  gpuarr_device* device = nullptr;
  gpuarr_stream* stream = nullptr;
  gpuarr_array *x = nullptr, *sum = nullptr;
  CHECK_EQ(gpuarr_device_open(&device, "cuda:0"), GPUARR_OK);
  CHECK_EQ(gpuarr_array_ones(&x, device, GPUARR_F32, 1, &length, 0, nullptr), GPUARR_OK);
  const auto add_up = [&] {
    return gpuarr_sum(&sum, x, nullptr, GPUARR_ALL_AXES, 0, stream) == GPUARR_OK;
  };
  CHECK(add_up());  // the kernel is there from now on
  gpuarr_array_release(std::exchange(sum, nullptr));
  CHECK_EQ(gpuarr_stream_create(&stream, device, 0, 0), GPUARR_OK);
  const int64_t before = used(device), counters = 32768;
  CHECK(until_it_goes_well(add_up) > 3);
  gpuarr_array_release(sum);
  CHECK_EQ(used(device), before + counters);
  gpuarr_array_release(x);
  gpuarr_stream_release(stream);
}

// What two streams used is waited for, unless the other one is being captured: memory is lost then,
// which is less than a capture.
void captures_go_on(bool of_home) {
  const int64_t length = 1000;
  gpuarr_device* device = nullptr;
  gpuarr_stream *home = nullptr, *other = nullptr;
  gpuarr_array* x = nullptr;
  gpuarr_graph* graph = nullptr;
  CHECK_EQ(gpuarr_device_open(&device, "cuda:0"), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&home, device, 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&other, device, 0, 0), GPUARR_OK);
  const int64_t before = used(device);
  CHECK_EQ(gpuarr_array_zeros(&x, device, GPUARR_F32, 1, &length, 0, home), GPUARR_OK);
  CHECK_EQ(gpuarr_array_fill(x, gpuarr_arg_f32(1), other), GPUARR_OK);
  gpuarr_stream* captured = of_home ? home : other;
  CHECK_EQ(gpuarr_stream_begin_capture(captured), GPUARR_OK);
  good_allocations = 0;
  gpuarr_array_release(x);
  good_allocations = -1;
  CHECK_EQ(used(device) == before, of_home);
  CHECK_EQ(gpuarr_stream_end_capture(&graph, captured), GPUARR_OK);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(home);
  gpuarr_stream_release(other);
}

}  // namespace

int main() {
  fake::require();
  Device& device = open_device("cuda:0");
  nothing_is_lost([&] { return device.create_stream(0); });
  nothing_is_lost([&] { return device.load(ptx); });
  workspaces_are_given_back();
  captures_go_on(true);
  captures_go_on(false);
  return check::result();
}
