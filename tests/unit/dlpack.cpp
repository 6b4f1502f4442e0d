// What a trip of an array through DLPack and back costs.
#include <algorithm>
#include <chrono>

#include "check.hpp"
#include "gpuarr.h"

namespace {

double nanoseconds_of_a_trip(gpuarr_array* array, int rounds) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    DLManagedTensorVersioned* tensor = nullptr;
    gpuarr_array* back = nullptr;
    CHECK_EQ(gpuarr_array_to_dlpack(&tensor, array, nullptr), GPUARR_OK);
    CHECK_EQ(gpuarr_array_from_dlpack(&back, tensor, nullptr, nullptr), GPUARR_OK);
    gpuarr_array_release(back);
  }
  std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / rounds;
}

void report_the_cost_of_a_trip() {
  gpuarr_device* device = nullptr;
  gpuarr_array* array = nullptr;
  const int64_t shape[] = {100, 100};
  CHECK_EQ(gpuarr_device_open(&device, nullptr), GPUARR_OK);
  CHECK_EQ(gpuarr_array_empty(&array, device, GPUARR_F32, 2, shape, 0, nullptr), GPUARR_OK);
  double best = nanoseconds_of_a_trip(array, 10000);
  for (int i = 0; i < 10; ++i) best = std::min(best, nanoseconds_of_a_trip(array, 10000));
  std::cout << "to DLPack and back: " << best << " ns\n";
  gpuarr_array_release(array);
}

}  // namespace

int main() {
  report_the_cost_of_a_trip();
  return check::result();
}
