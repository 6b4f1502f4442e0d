// Sorting and ranks on the CPU device beside NumPy, which takes turns with us where it is
// installed.
#include <cstring>
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

/// Random bits that are a finite number.
template <class T>
Array random_numbers(gpuarr_device* device, gpuarr_dtype dtype, int64_t n) {
  if (dtype == GPUARR_F32 || dtype == GPUARR_F64) return random_array<T>(device, dtype, n);
  static std::mt19937_64 random(std::random_device{}());
  Array out;
  check(gpuarr_array_empty(out.out(), device, dtype, 1, &n, GPUARR_ORDER_C, nullptr));
  for (int64_t k = 0; k < n; ++k) data<T>(out)[k] = static_cast<T>(random());
  return out;
}

template <class T>
void against_numpy(const Report& report, gpuarr_device* device, const std::string& name,
                   gpuarr_dtype dtype, int64_t n) {
  const Array x = random_numbers<T>(device, dtype, n);
  Array out = random_numbers<T>(device, dtype, n), index;
  check(gpuarr_array_empty(index.out(), device, GPUARR_I64, 1, &n, GPUARR_ORDER_C, nullptr));
  Numpy numpy;
  std::vector<double> times[2];
  const int calls = n < 100000 ? 200 : 2;
  for (int round = 0; round < 5; ++round) {
    numpy.run("sort " + name + " " + std::to_string(n));
    const auto us = in_turns({[&] { check(gpuarr_sort(out.out(), x.get(), 0, 0, nullptr)); },
                              [&] { check(gpuarr_argsort(index.out(), x.get(), 0, 0, nullptr)); }},
                             2, calls);
    for (size_t k = 0; k < 2; ++k) times[k].push_back(us[k]);
  }
  const char* work[] = {"sort", "argsort"};
  for (size_t k = 0; k < 2; ++k) {
    const double theirs = numpy.us(work[k]);
    report.add({name + " " + work[k] + " of " + std::to_string(n) + ", against NumPy",
                median(times[k]), theirs, theirs > 0 ? 1.0 : 0});
  }
}

template <class T>
void ranks_against_numpy(const Report& report, gpuarr_device* device, const std::string& name,
                         gpuarr_dtype dtype, int64_t n) {
  const Array x = random_numbers<T>(device, dtype, n);
  Array out = random_numbers<T>(device, dtype, n), middle, places;
  Numpy numpy;
  std::vector<double> times[3];
  for (int round = 0; round < 3; ++round) {
    numpy.run("ranks " + name + " " + std::to_string(n));
    const auto us =
        in_turns({[&] { check(gpuarr_partition(out.out(), x.get(), n / 2, 0, nullptr)); },
                  [&] { check(gpuarr_median(middle.out(), x.get(), 0, nullptr)); },
                  [&] { check(gpuarr_topk(nullptr, places.out(), x.get(), 10, 0, 1, nullptr)); }},
                 2, n < 100000 ? 200 : 3);
    for (size_t k = 0; k < 3; ++k) times[k].push_back(us[k]);
  }
  const char* work[] = {"partition", "median", "topk"};
  for (size_t k = 0; k < 3; ++k)
    report.add({name + " " + work[k] + " of " + std::to_string(n) + ", against NumPy",
                median(times[k]), numpy.us(work[k]), 0});
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const Report report("host_sort", gpuarr_device_description(device));
  for (const int64_t n : {int64_t{1000}, int64_t{100000}, int64_t{10000000}}) {
    against_numpy<uint32_t>(report, device, "u32", GPUARR_U32, n);
    against_numpy<float>(report, device, "f32", GPUARR_F32, n);
    against_numpy<int64_t>(report, device, "i64", GPUARR_I64, n);
    against_numpy<double>(report, device, "f64", GPUARR_F64, n);
    ranks_against_numpy<float>(report, device, "f32", GPUARR_F32, n);
    ranks_against_numpy<int64_t>(report, device, "i64", GPUARR_I64, n);
  }
  return 0;
}
