// What the parts of the CPU benchmark share: random arrays, and timing in turns.
#pragma once

#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "measure.hpp"
#include "objects.hpp"

inline int thread_count(gpuarr_device* device) {
  int64_t count;
  check(gpuarr_device_attribute(&count, device, GPUARR_DEVICE_PROCESSORS));
  return static_cast<int>(count);
}

/// Elements from -4 to 4.
template <class T>
Array random_array(gpuarr_device* device, gpuarr_dtype dtype, int64_t n) {
  static std::minstd_rand random(std::random_device{}());
  Array out;
  check(gpuarr_array_empty(out.out(), device, dtype, 1, &n, GPUARR_ORDER_C, nullptr));
  T* values = data<T>(out);
  for (int64_t i = 0; i < n; ++i)
    values[i] = static_cast<T>(static_cast<double>(random()) / std::minstd_rand::max() * 8 - 4);
  return out;
}

inline Kernel make_kernel(const char* body) {
  Kernel out;
  check(gpuarr_elementwise_create(out.out(), "T x, T y", "T z", body, nullptr));
  return out;
}

inline Call prepare(const Kernel& kernel, const Array& x, const Array& y, const Array& z) {
  Call call;
  gpuarr_array* output = z.get();
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  check(
      gpuarr_elementwise_prepare(call.out(), kernel.get(), &output, 1, inputs, 2, GPUARR_NO_SIZE));
  return call;
}

/// Median time of each function. They take turns of a few calls, so that what else the machine does
/// hits all alike; the first call of a turn, which wakes the threads, does not count.
inline std::vector<double> in_turns(const std::vector<std::function<void()>>& functions,
                                    int turns = 15, int calls = 4) {
  std::vector<std::vector<double>> times(functions.size());
  for (int turn = 0; turn < turns; ++turn)
    for (size_t k = 0; k < functions.size(); ++k) {
      functions[k]();
      for (int call = 0; call < calls; ++call) {
        const double begin = now_us();
        functions[k]();
        times[k].push_back(now_us() - begin);
      }
    }
  std::vector<double> medians;
  medians.reserve(times.size());
  for (auto& t : times) medians.push_back(median(std::move(t)));
  return medians;
}
