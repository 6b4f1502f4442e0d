#include "kernel/launch/call.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"

namespace gpuarr {

PreparedCall::PreparedCall(Device& device, std::variant<PreparedFunction, PreparedRaw> target,
                           std::vector<std::byte> parameters, std::vector<Array> arrays,
                           std::vector<ScalarSlot> scalars, LaunchLabel label)
    : device_(device), arrays_(std::move(arrays)), scalars_(std::move(scalars)) {
  launches_.push_back({std::move(target), std::move(parameters), std::move(label)});
}

PreparedCall::PreparedCall(Device& device, std::vector<PreparedCall> parts,
                           const std::function<int(size_t part, int input)>& input_of)
    : device_(device) {
  for (size_t k = 0; k < parts.size(); ++k) {
    for (ScalarSlot slot : parts[k].scalars_) {
      slot.input = input_of(k, slot.input);
      slot.launch += launches_.size();
      if (slot.input >= 0) scalars_.push_back(slot);
    }
    std::ranges::move(parts[k].launches_, std::back_inserter(launches_));
    std::ranges::move(parts[k].arrays_, std::back_inserter(arrays_));
  }
}

void PreparedCall::launch(Stream& stream) {
  for (Launch& launch : launches_) launch.run(arrays_, stream);
}

void PreparedCall::Launch::run(std::span<const Array> arrays, Stream& stream) {
  if (const auto* own = std::get_if<PreparedFunction>(&target)) {
    if (own->function == nullptr) return;
    for (const Array& array : arrays) array.buffer->used_in(stream);
    return launch_noted(
        stream, [&] { return label; },
        [&] { own->function->launch(own->shape, parameters.data(), parameters.size(), stream); });
  }
  auto& raw = std::get<PreparedRaw>(target);
  if (raw.function == nullptr) return;
  for (const Array& array : arrays) array.buffer->used_in(stream);
  RawLaunch launch = raw.launch;
  launch.arrays = raw.spans;
  launch_noted(
      stream, [&] { return label; },
      [&] { raw.function->launch(launch, parameters.data(), parameters.size(), stream); });
}

// Of several places either all get the value, or none.
void PreparedCall::set_scalar(int input, const Scalar& value) {
  bool any = false;
  for (const bool sets : {false, true})
    for (const ScalarSlot& slot : scalars_) {
      if (slot.input != input) continue;
      alignas(16) std::array<std::byte, 16> bytes;
      value.convert_to(slot.dtype, bytes.data(), "value");
      if (sets)
        std::memcpy(launches_[slot.launch].parameters.data() + slot.offset, bytes.data(),
                    as_index(size_of(slot.dtype)));
      any = true;
    }
  if (!any)
    fail(GPUARR_ERR_ARGUMENT, "input is {}, which is not one that was given as a scalar", input);
}

std::vector<PreparedCall::ScalarSlot> scalar_slots(std::span<const Operand> operands,
                                                   const FieldOffsets& offsets) {
  std::vector<PreparedCall::ScalarSlot> slots;
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == Role::scalar)
      slots.push_back({static_cast<int>(k), offsets[k], operands[k].dtype});
  return slots;
}

}  // namespace gpuarr
