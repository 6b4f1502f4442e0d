#include "c/matrix_results.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gpuarr {

ResultSlot required_slot(gpuarr_array** out, const char* name) {
  if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", name);
  return nullable_slot(out, name);
}

ResultSlot nullable_slot(gpuarr_array** out, const char* name) {
  const Array* given = out != nullptr ? deref_or_null(*out, name) : nullptr;
  return {{name, out != nullptr, given}, out};
}

void hand_out_all(std::initializer_list<ResultSlot*> slots) {
  std::vector<std::pair<gpuarr_array**, std::unique_ptr<gpuarr_array>>> handles;
  handles.reserve(slots.size());  // so that no handle is lost where that has no memory
  for (ResultSlot* slot : slots)
    if (slot->wanted && slot->made) handles.emplace_back(slot->out, wrap(std::move(*slot->made)));
  for (auto& [out, handle] : handles) *out = handle.release();
}

}  // namespace gpuarr
