// Tensors of others: all that their struct says, but for the pointers. Those whose elements lie in
// memory that is there are read, too.
#include "array/dlpack.hpp"

#include <array>
#include <cstring>

#include "gpuarr.h"
#include "targets.hpp"

namespace {

__extension__ using Wide = __int128;

alignas(64) char data[4096];

void released(DLManagedTensorVersioned* tensor) { ++*static_cast<int*>(tensor->manager_ctx); }

// How far the elements of a tensor lead from address 0, in more digits than addresses have.
struct Range {
  Wide begin = 0, end = 0;
  bool empty = false;
};

Range range_of(const gpuarr::dlpack::Tensor& t) {
  Range out;
  out.begin = static_cast<Wide>(reinterpret_cast<uintptr_t>(t.data)) + t.byte_offset;
  out.end = out.begin + t.type.bits / 8;
  Wide step = 1;
  for (int k = t.ndim - 1; k >= 0; --k) {
    const Wide stride = t.strides != nullptr ? t.strides[k] : step;
    if (t.shape[k] == 0) return {0, 0, true};
    step *= t.shape[k];
    const Wide span = t.shape[k] == 1 ? 0 : stride * (t.shape[k] - 1) * (t.type.bits / 8);
    (span < 0 ? out.begin : out.end) += span;
  }
  return out;
}

// Elements are where the tensor says.
void look(gpuarr_array* array, const gpuarr::dlpack::Tensor& t) {
  using fuzz::require;
  const Range range = range_of(t);
  const auto first = static_cast<Wide>(reinterpret_cast<uintptr_t>(data));
  require(range.begin >= 0 && range.end <= UINTPTR_MAX, "no address wraps around");
  require(range.empty == (gpuarr_array_size(array) == 0), "an extent of 0 is an empty array");
  static std::array<char, sizeof data> copy;
  if (range.begin < first || range.end > first + sizeof data) return;
  const int64_t bytes = gpuarr_array_size(array) * gpuarr_dtype_size(gpuarr_array_dtype(array));
  if (bytes > static_cast<int64_t>(sizeof copy)) return;  // broadcast
  require(gpuarr_array_read(copy.data(), bytes, nullptr, array, nullptr) == GPUARR_OK,
          "what lies in memory can be read");
}

}  // namespace

void fuzz::dlpack(std::string_view input) {
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
  look(array, t);
  gpuarr_array_release(array);
  require(releases == 1, "a tensor is given back once");
}
