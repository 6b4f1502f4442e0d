#include "kernel/call.hpp"

#include "core/error.hpp"

namespace gpuarr {

void PreparedCall::launch(Stream& stream) {
  if (function_ == nullptr) return;
  for (const Array& array : arrays_) array.buffer->used_in(stream);
  function_->launch(shape_, parameters_.data(), parameters_.size(), stream);
}

void PreparedCall::set_scalar(int input, const Scalar& value) {
  for (const ScalarSlot& slot : scalars_)
    if (slot.input == input)
      return value.convert_to(slot.dtype, parameters_.data() + slot.offset, "value");
  fail(GPUARR_ERR_ARGUMENT, "input is {}, which is not one that was given as a scalar", input);
}

}  // namespace gpuarr
