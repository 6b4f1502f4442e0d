#include "c/call_arguments.hpp"

#include <algorithm>
#include <new>

#include "backends.hpp"
#include "c/guard.hpp"

namespace gpuarr {
namespace {

void check_count(const char* what, size_t expected, int32_t given, const void* pointer) {
  if (given < 0 || static_cast<size_t>(given) != expected)
    fail(GPUARR_ERR_ARGUMENT, "{}_count is {}, but the kernel has {} {} parameter{}", what, given,
         expected, what, expected == 1 ? "" : "s");
  if (given > 0 && pointer == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{}s is NULL; give {} of them", what, given);
}

// Made once: a message needs them seldom, and a call has no time for them.
const std::string& label(size_t k) {
  static const auto* labels = [] {
    auto* made = new std::array<std::string, max_operands>;
    for (size_t i = 0; i < made->size(); ++i) (*made)[i] = formatted("inputs[{}]", i);
    return made;
  }();
  return (*labels)[k];
}

void check_handles(ParameterCounts counts, gpuarr_array* const* outputs, const gpuarr_arg* inputs) {
  for (size_t k = 0; k < counts.inputs; ++k) check_handle(inputs[k].array, label(k).c_str());
  for (size_t k = 0; k < counts.outputs; ++k)
    check_handle(outputs[k], formatted("outputs[{}]", k).c_str());
}

}  // namespace

CallArguments::CallArguments(ParameterCounts expected, gpuarr_array* const* outputs,
                             int32_t output_count, const gpuarr_arg* inputs, int32_t input_count)
    : input_count_(expected.inputs), output_count_(expected.outputs) {
  check_count("input", expected.inputs, input_count, inputs);
  check_count("output", expected.outputs, output_count, outputs);
  if (tracking()) check_handles(expected, outputs, inputs);
  for (size_t k = 0; k < input_count_; ++k) {
    inputs_[k] = {};
    if (inputs[k].array != nullptr && inputs[k].flags == 0) {
      inputs_[k].array = &inputs[k].array->impl;
    } else {
      if (inputs[k].dtype == 0 && inputs[k].flags == 0)
        fail(GPUARR_ERR_ARGUMENT,
             "inputs[{}] is neither an array nor a scalar; an array must not be NULL, and a scalar "
             "has a dtype",
             k);
      void* place = &scalars_[k * sizeof(Scalar)];
      inputs_[k].scalar = new (place) Scalar(Scalar::from(inputs[k], label(k).c_str()));
    }
  }
  for (size_t k = 0; k < output_count_; ++k)
    outputs_[k] = outputs[k] != nullptr ? &outputs[k]->impl : nullptr;
}

bool CallArguments::has_array() const {
  return std::ranges::any_of(inputs(), [](const Argument& a) { return a.array != nullptr; }) ||
         std::ranges::any_of(outputs(), [](const Array* a) { return a != nullptr; });
}

Device& CallArguments::device_or_default() const {
  for (const Argument& a : inputs())
    if (a.array != nullptr) return a.array->device();
  for (const Array* a : outputs())
    if (a != nullptr) return a->device();
  return open_device(nullptr);
}

void CallArguments::require_outputs() const {
  for (size_t k = 0; k < output_count_; ++k)
    if (outputs_[k] == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "outputs[{}] is NULL; a prepared call needs all its outputs", k);
}

void CallArguments::hand_out(gpuarr_array** outputs, MadeOutputs&& made) {
  std::vector<MadeResult> results;
  results.reserve(made.size());
  for (auto& [k, array] : made) results.emplace_back(outputs + k, std::move(array));
  gpuarr::hand_out(results);
}

AxisRequest axis_request(const int32_t* axes, int32_t axis_count, int32_t keepdims) {
  const bool kept = checked_flag(keepdims, "keepdims");
  if (axis_count == GPUARR_ALL_AXES || (axes == nullptr && axis_count == 0))
    return {{}, true, kept};
  if (axis_count < 0)
    fail(GPUARR_ERR_ARGUMENT, "axis_count is {}; give a number of axes, or GPUARR_ALL_AXES (-1)",
         axis_count);
  if (axis_count > 0 && axes == nullptr)
    fail(GPUARR_ERR_ARGUMENT,
         "axes is NULL, but axis_count is {}; give {} axes, or axis_count 0 for all", axis_count,
         axis_count);
  return {{axes, static_cast<size_t>(axis_count)}, false, kept};
}

}  // namespace gpuarr
