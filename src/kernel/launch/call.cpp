#include "kernel/launch/call.hpp"

#include "core/error.hpp"

namespace gpuarr {
void PreparedCall::launch(Stream& stream) {
  if (const auto* own = std::get_if<PreparedFunction>(&target_)) {
    if (own->function == nullptr) return;
    for (const Array& array : arrays_) array.buffer->used_in(stream);
    return launch_noted(
        stream, [&] { return label_; },
        [&] { own->function->launch(own->shape, parameters_.data(), parameters_.size(), stream); });
  }
  auto& raw = std::get<PreparedRaw>(target_);
  if (raw.function == nullptr) return;
  for (const Array& array : arrays_) array.buffer->used_in(stream);
  RawLaunch launch = raw.launch;
  launch.arrays = raw.spans;
  launch_noted(
      stream, [&] { return label_; },
      [&] { raw.function->launch(launch, parameters_.data(), parameters_.size(), stream); });
}

void PreparedCall::set_scalar(int input, const Scalar& value) {
  for (const ScalarSlot& slot : scalars_)
    if (slot.input == input)
      return value.convert_to(slot.dtype, parameters_.data() + slot.offset, "value");
  fail(GPUARR_ERR_ARGUMENT, "input is {}, which is not one that was given as a scalar", input);
}

std::vector<PreparedCall::ScalarSlot> scalar_slots(std::span<const Operand> operands,
                                                   const std::array<int, max_operands>& offsets) {
  std::vector<PreparedCall::ScalarSlot> slots;
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == Role::scalar)
      slots.push_back({static_cast<int>(k), offsets[k], operands[k].dtype});
  return slots;
}

}  // namespace gpuarr
