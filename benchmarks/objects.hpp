// The library's objects as the benchmarks hold them: they release themselves, and what fails ends
// the program with the library's message.
#pragma once

#include <gpuarr.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

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
using Reduction = Handle<gpuarr_reduction, gpuarr_reduction_release>;
using Options = Handle<gpuarr_kernel_options, gpuarr_kernel_options_release>;
using Call = Handle<gpuarr_call, gpuarr_call_release>;
using Stream = Handle<gpuarr_stream, gpuarr_stream_release>;
using Function = Handle<gpuarr_function, gpuarr_function_release>;
using Allocator = Handle<gpuarr_allocator, gpuarr_allocator_release>;

template <class T>
T* data(const Array& array) {
  return static_cast<T*>(gpuarr_array_data(array.get()));
}

inline Array slice(const Array& a, int32_t axis, int64_t start, int64_t stop, int64_t step) {
  Array out;
  check(gpuarr_array_slice(out.out(), a.get(), axis, start, stop, step));
  return out;
}
inline Array reshape(const Array& a, const std::vector<int64_t>& shape) {
  Array out;
  check(gpuarr_array_reshape(out.out(), a.get(), static_cast<int32_t>(shape.size()), shape.data()));
  return out;
}
inline Array reshape(const Array& a, int64_t rows, int64_t columns) {
  return reshape(a, {rows, columns});
}
inline Array transpose(const Array& a) {
  Array out;
  check(gpuarr_array_transpose(out.out(), a.get(), 0, nullptr));
  return out;
}

/// Hands an array to another library and takes it back.
inline void exchange(const Array& array) {
  DLManagedTensorVersioned* tensor;
  check(gpuarr_array_to_dlpack(&tensor, array.get(), nullptr));
  Array back;
  check(gpuarr_array_from_dlpack(back.out(), tensor, nullptr, nullptr));
}

inline void launch(const Call& call) { check(gpuarr_call_launch(call.get(), nullptr)); }

/// The texts of a reduction kernel.
struct ReductionText {
  const char* in_params;
  const char* out_params;
  const char* map;
  const char* reduce = "a + b";
  const char* post = "y = a";
  const char* identity = "0";
  const char* reduce_type = nullptr;
  const char* preamble = nullptr;
  bool commutative = true;
};

inline Reduction make_reduction(const ReductionText& text) {
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  if (text.reduce_type != nullptr)
    check(gpuarr_kernel_options_set_reduce_type(options.get(), text.reduce_type));
  if (text.preamble != nullptr)
    check(gpuarr_kernel_options_set_preamble(options.get(), text.preamble));
  check(gpuarr_kernel_options_set_commutative(options.get(), text.commutative ? 1 : 0));
  Reduction out;
  check(gpuarr_reduction_create(out.out(), text.in_params, text.out_params, text.map, text.reduce,
                                text.post, text.identity, options.get()));
  return out;
}

/// Reduce inputs along axes, all of them where none is named, into an array that is made.
inline Array reduce(const Reduction& kernel, const std::vector<gpuarr_arg>& inputs,
                    const std::vector<int32_t>& axes) {
  Array out;
  check(gpuarr_reduction_call(
      kernel.get(), out.out(), 1, inputs.data(), static_cast<int32_t>(inputs.size()), axes.data(),
      axes.empty() ? GPUARR_ALL_AXES : static_cast<int32_t>(axes.size()), 0, nullptr));
  return out;
}

/// The same, to be launched again and again into one array.
inline Call prepare(const Reduction& kernel, const std::vector<gpuarr_arg>& inputs,
                    const std::vector<int32_t>& axes) {
  const Array result = reduce(kernel, inputs, axes);
  gpuarr_array* output = result.get();
  Call out;
  check(gpuarr_reduction_prepare(
      out.out(), kernel.get(), &output, 1, inputs.data(), static_cast<int32_t>(inputs.size()),
      axes.data(), axes.empty() ? GPUARR_ALL_AXES : static_cast<int32_t>(axes.size()), 0));
  return out;
}

/// The index of the first greatest element, by a struct as reduce type.
inline ReductionText argmax_text() {
  ReductionText text = {"float32 x", "int64 y", "Best{x, (long long)_J}"};
  text.reduce = "better(a, b)";
  text.post = "y = a.index";
  text.identity = nullptr;
  text.reduce_type = "Best";
  text.preamble =
      "struct Best { float value; long long index; };\n"
      "__device__ Best better(Best a, Best b) {\n"
      "  if (a.value != b.value) return a.value > b.value ? a : b;\n"
      "  return a.index < b.index ? a : b;\n"
      "}\n";
  return text;
}
