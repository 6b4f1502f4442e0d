// Tensors of others: all that their struct says, but for the pointers.
#include "array/dlpack.hpp"

#include <array>
#include <cstring>

#include "gpuarr.h"
#include "targets.hpp"

namespace {

void released(DLManagedTensorVersioned* tensor) { ++*static_cast<int*>(tensor->manager_ctx); }

}  // namespace

void fuzz::dlpack(std::string_view input) {
  alignas(64) static char data[4096];
  std::array<int64_t, 80> numbers = {};
  if (input.size() > sizeof numbers) input = input.substr(0, sizeof numbers);
  std::memcpy(numbers.data(), input.data(), input.size());
  int releases = 0;
  DLManagedTensorVersioned tensor = {};
  std::memcpy(&tensor.version, &numbers[0], sizeof numbers[0]);
  tensor.manager_ctx = &releases;
  tensor.deleter = released;
  tensor.flags = static_cast<uint64_t>(numbers[1]);
  auto& t = tensor.dl_tensor;
  t.data = data;
  t.place = {static_cast<int32_t>(numbers[2]), static_cast<int32_t>(numbers[2] >> 32)};
  t.ndim = static_cast<int32_t>(numbers[3]);
  std::memcpy(&t.type, &numbers[4], sizeof t.type);
  t.byte_offset = static_cast<uint64_t>(numbers[5]);
  t.shape = &numbers[6];
  t.strides = numbers[4] < 0 ? nullptr : &numbers[40];
  if (t.ndim > 34 || t.place.kind != gpuarr::dlpack::cpu) return;  // more extents than are there
  gpuarr_array* array = nullptr;
  if (gpuarr_array_from_dlpack(&array, &tensor, nullptr, nullptr) != GPUARR_OK) {
    require(array == nullptr && gpuarr_last_error()[0] != '\0', "a refusal says why");
    return;
  }
  require(gpuarr_array_ndim(array) == t.ndim, "an array has the tensor's axes");
  gpuarr_array_release(array);
  require(releases == 1, "a tensor is given back once");
}
