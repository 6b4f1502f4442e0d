#include "ops/base/result.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {

Stream& stream_for(Stream* given, Device& device) {
  Stream& stream = given != nullptr ? *given : current_stream(device);
  if (&stream.device() != &device)
    fail(GPUARR_ERR_DEVICE, "stream is of {}, but the arrays are on {}",
         stream.device().facts().name, device.facts().name);
  return stream;
}

void check_device(const Array& array, const char* argument, const Device& device) {
  if (&array.device() != &device)
    fail(GPUARR_ERR_DEVICE, "{} is on {}, but the others are on {}; copy it to their device",
         argument, array.device().facts().name, device.facts().name);
}

void check_given(const Array& given, const char* argument, DType dtype, const Dims& shape,
                 const Device& device) {
  if (&given.device() != &device)
    fail(GPUARR_ERR_DEVICE, "{} is on {}, but the inputs are on {}; give an array there", argument,
         given.device().facts().name, device.facts().name);
  if (given.dtype != dtype)
    fail(GPUARR_ERR_DTYPE, "{} is {}, but the result is {}; give such an array", argument,
         name(given.dtype), name(dtype));
  if (!(given.layout.shape == shape))
    fail(GPUARR_ERR_SHAPE, "{} has shape {}, but the result has {}; give such an array", argument,
         to_string(given.layout.shape), to_string(shape));
  check_writable(given, argument);
}

Result::Result(const Array* given, const ResultFacts& facts, Stream& stream) : given_(given) {
  if (given == nullptr) {
    made_ = Array::with_strides(stream, facts.dtype, facts.shape, facts.strides);
    return;
  }
  check_given(*given, "out", facts.dtype, facts.shape, stream.device());
}

bool Result::overlaps(std::span<const Array* const> inputs) const {
  return given() &&
         std::ranges::any_of(inputs, [&](const Array* x) { return may_overlap(*given_, *x); });
}

void Result::take_over(const Array& apart, Stream& stream) { convert(array(), apart, stream); }

}  // namespace gpuarr
