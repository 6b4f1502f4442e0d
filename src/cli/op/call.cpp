// Taking an operation's arguments, checked.
#include <cstring>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

std::string place(const OpCall& call, size_t k) {
  return "argument " + std::to_string(k + 1) + ", " + in_quotes(call.words[k]) + ", ";
}

template <class T>
T value_of(const gpuarr_arg& scalar) {
  T value;
  std::memcpy(&value, scalar.value, sizeof value);
  return value;
}

}  // namespace

const gpuarr_array* OpCall::array(size_t k) const {
  if (inputs[k].array == nullptr)
    throw UsageError(place(*this, k) + "is a scalar; give a .npy file");
  return inputs[k].array;
}

int64_t OpCall::whole(size_t k) const {
  if (inputs[k].array != nullptr || inputs[k].dtype != GPUARR_I64)
    throw UsageError(place(*this, k) + "is not a whole number; give one such as 3");
  return value_of<int64_t>(inputs[k]);
}

int64_t OpCall::whole_or(size_t k, int64_t otherwise) const {
  return k < inputs.size() ? whole(k) : otherwise;
}

double OpCall::real(size_t k) const {
  if (inputs[k].array == nullptr && inputs[k].dtype == GPUARR_I64)
    return static_cast<double>(value_of<int64_t>(inputs[k]));
  if (inputs[k].array != nullptr || inputs[k].dtype != GPUARR_F64)
    throw UsageError(place(*this, k) + "is not a real number; give one such as 2.5");
  return value_of<double>(inputs[k]);
}

int32_t OpCall::axis(int32_t otherwise) const {
  if (axes.all) return otherwise;
  if (axes.list.size() != 1) throw UsageError("--axis must name one axis here");
  return axes.list[0];
}

}  // namespace cli
