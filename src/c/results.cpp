#include "c/results.hpp"

namespace gpuarr {

ResultSlot required_slot(gpuarr_array** out, const char* argument) {
  ResultSlot slot = nullable_slot(out, argument);
  if (!slot.wanted)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", slot.name);
  return slot;
}

ResultSlot nullable_slot(gpuarr_array** out, const char* argument) {
  const Array* given = out != nullptr ? deref_or_null(*out, argument) : nullptr;
  return {{*argument == '*' ? argument + 1 : argument, out != nullptr, given}, out};
}

void hand_out_all(std::initializer_list<ResultSlot*> slots) {
  std::vector<MadeResult> made;
  for (ResultSlot* slot : slots)
    if (slot->wanted && slot->made) made.emplace_back(slot->out, std::move(*slot->made));
  hand_out(made);
}

}  // namespace gpuarr
