#include "kernel/repeat.hpp"

#include <array>
#include <cstring>

namespace gpuarr {
namespace {

constexpr uintptr_t alignment = 16;  // more makes no difference to a plan

const char* begin_of(const Array& array) { return static_cast<const char*>(array.data); }

uintptr_t misalignment(const char* data) { return reinterpret_cast<uintptr_t>(data) % alignment; }

}  // namespace

Repeat::Repeat(std::shared_ptr<Function> function, const LaunchShape& shape,
               std::span<const std::byte> parameters, std::span<const Operand> operands,
               const FieldOffsets& offsets)
    : function_(std::move(function)),
      shape_(shape),
      parameters_(parameters.begin(), parameters.end()) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand& o = operands[k];
    inputs_ += o.role != Role::output && o.role != Role::raw_output;
    Slot& slot = slots_.emplace_back(Slot{o.dtype, offsets[k], static_cast<const char*>(o.data)});
    if (o.role == Role::scalar) continue;
    const char* begin = nullptr;
    std::memcpy(&begin, &parameters[as_index(slot.offset)], sizeof begin);
    slot.shift = begin - slot.data;
    const Reach reached = reach(*o.layout);
    slot.low = reached.low * size_of(o.dtype);
    slot.high = (reached.high + 1) * size_of(o.dtype);
  }
}

bool Repeat::meet(const Slot& a, const char* data_a, const Slot& b, const char* data_b) {
  return data_a + a.low < data_b + b.high && data_b + b.low < data_a + a.high;
}

bool Repeat::meets_as_before(size_t output, const char* data, size_t other,
                             const char* of_other) const {
  const Slot& a = slots_[output];
  const Slot& b = slots_[other];
  if (meet(a, a.data, b, b.data)) return data - of_other == a.data - b.data;
  return !meet(a, data, b, of_other);
}

bool Repeat::suits(std::span<const Argument> inputs, std::span<const Array* const> outputs) const {
  for (size_t k = 0; k < inputs_; ++k)
    if (inputs[k].array != nullptr &&
        misalignment(begin_of(*inputs[k].array)) != misalignment(slots_[k].data))
      return false;
  for (size_t o = 0; o < outputs.size(); ++o) {
    const char* const data = begin_of(*outputs[o]);
    const size_t slot = inputs_ + o;
    if (misalignment(data) != misalignment(slots_[slot].data)) return false;
    for (size_t k = 0; k < inputs_; ++k)
      if (inputs[k].array != nullptr && !meets_as_before(slot, data, k, begin_of(*inputs[k].array)))
        return false;
    for (size_t k = 0; k < o; ++k)
      if (!meets_as_before(slot, data, inputs_ + k, begin_of(*outputs[k]))) return false;
  }
  return true;
}

void Repeat::launch(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                    Stream& stream) const {
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  std::memcpy(parameters.data(), parameters_.data(), parameters_.size());
  const auto put = [&](const Slot& slot, const Array& array) {
    const char* const begin = begin_of(array) + slot.shift;
    std::memcpy(&parameters[as_index(slot.offset)], &begin, sizeof begin);
    array.buffer->used_in(stream);
  };
  for (size_t k = 0; k < inputs_; ++k)
    if (inputs[k].array != nullptr)
      put(slots_[k], *inputs[k].array);
    else if (inputs[k].scalar != nullptr)
      inputs[k].scalar->convert_to(slots_[k].dtype, &parameters[as_index(slots_[k].offset)],
                                   "scalar", true);
  for (size_t o = 0; o < outputs.size(); ++o) put(slots_[inputs_ + o], *outputs[o]);
  function_->launch(shape_, parameters.data(), parameters_.size(), stream);
}

}  // namespace gpuarr
