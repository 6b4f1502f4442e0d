// Elements by indices and joined arrays on the CPU device, beside NumPy.
#include <random>
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;
constexpr int64_t row = 64;

Array random_indices(gpuarr_device* device, int64_t count, int64_t extent) {
  std::minstd_rand random(std::random_device{}());
  Array out;
  check(gpuarr_array_empty(out.out(), device, GPUARR_I64, 1, &count, GPUARR_ORDER_C, nullptr));
  auto* values = data<int64_t>(out);
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(random()) % extent;
  return out;
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const Report report("host_moving", gpuarr_device_description(device));
  const Array x = random_array<float>(device, GPUARR_F32, size);
  const Array out = random_array<float>(device, GPUARR_F32, size);
  const Array k = random_indices(device, size, size);
  const Array rows = random_indices(device, size / row, size / row);
  const Array matrix = reshape(x, size / row, row), results = reshape(out, size / row, row);
  const Array low = slice(x, 0, 0, size / 2, 1), high = slice(x, 0, size / 2, size, 1);
  const gpuarr_array* halves[] = {high.get(), low.get()};
  const int64_t shift = 12345;
  const int32_t axis = 0;
  gpuarr_array *line = out.get(), *taken = results.get();
  const std::vector<std::function<void()>> work = {
      [&] { check(gpuarr_take(&line, x.get(), k.get(), 0, nullptr)); },
      [&] { check(gpuarr_take(&taken, matrix.get(), rows.get(), 0, nullptr)); },
      [&] { check(gpuarr_concatenate(&line, halves, 2, 0, nullptr)); },
      [&] { check(gpuarr_roll(&line, x.get(), 1, &shift, &axis, nullptr)); }};
  const char* names[] = {"take, random", "take rows of 64", "concatenate 2", "roll"};
  Numpy numpy;
  std::vector<std::vector<double>> times(work.size());
  for (int round = 0; round < 5; ++round) {
    numpy.run("moving");
    const auto us = in_turns(work, 3);
    for (size_t n = 0; n < us.size(); ++n) times[n].push_back(us[n]);
  }
  for (size_t n = 0; n < work.size(); ++n) {
    const double theirs = numpy.us(names[n]);
    report.add({std::string("f32 ") + names[n] + ", against NumPy", median(times[n]), theirs,
                theirs > 0 ? 1.0 : 0});
  }
  return 0;
}
