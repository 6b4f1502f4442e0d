// What the parts of the CPU benchmark share: objects that release themselves, random arrays, and
// timing in turns.
#pragma once

#include <gpuarr.h>

#include <cstdlib>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "measure.hpp"

inline void check(gpuarr_status status) {
  if (status == GPUARR_OK) return;
  std::fprintf(stderr, "%s\n", gpuarr_last_error());
  std::exit(1);
}

/// An object of the library with the function that drops it.
template <class T, void (*release)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T* object) : object_(object) {}
  ~Handle() { release(object_); }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  T* get() const { return object_; }
  T** out() { return &object_; }

 private:
  T* object_ = nullptr;
};

using Array = Handle<gpuarr_array, gpuarr_array_release>;
using Kernel = Handle<gpuarr_elementwise, gpuarr_elementwise_release>;
using Call = Handle<gpuarr_call, gpuarr_call_release>;

template <class T>
T* data(const Array& array) {
  return static_cast<T*>(gpuarr_array_data(array.get()));
}

inline Array slice(const Array& a, int32_t axis, int64_t start, int64_t stop, int64_t step) {
  Array out;
  check(gpuarr_array_slice(out.out(), a.get(), axis, start, stop, step));
  return out;
}
inline Array reshape(const Array& a, int64_t rows, int64_t columns) {
  const int64_t shape[] = {rows, columns};
  Array out;
  check(gpuarr_array_reshape(out.out(), a.get(), 2, shape));
  return out;
}
inline Array transpose(const Array& a) {
  Array out;
  check(gpuarr_array_transpose(out.out(), a.get(), 0, nullptr));
  return out;
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

inline void launch(const Call& call) { check(gpuarr_call_launch(call.get(), nullptr)); }

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
