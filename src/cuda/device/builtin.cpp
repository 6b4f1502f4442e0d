// Copies and fills that the driver does by itself, so that they need no compiler.
#include <cstring>

#include "cuda/device/device.hpp"

namespace gpuarr::cuda {
namespace {

// Strides of axes with one index say nothing.
bool same_strides(const Builtin& b) {
  for (int i = 0; i < b.shape.size(); ++i)
    if (b.shape[i] != 1 && b.target_strides[i] != b.source_strides[i]) return false;
  return true;
}

// Whether the value is one unit over and over: 0 in any dtype, for one.
bool repeats(const unsigned char* value, size_t bytes, size_t unit) {
  return bytes % unit == 0 && std::memcmp(value, value + unit, bytes - unit) == 0;
}

template <class Unit>
Unit first(const unsigned char* value) {
  Unit unit;
  std::memcpy(&unit, value, sizeof unit);
  return unit;
}

bool fill(const Driver& api, const Builtin& b, size_t bytes, Stream& stream) {
  CUdeviceptr target = address(b.target);
  auto itemsize = static_cast<size_t>(size_of(b.target_dtype));
  if (repeats(b.value, itemsize, 1))
    api.set_bytes(target, b.value[0], bytes, native(stream));
  else if (repeats(b.value, itemsize, 2))
    api.set_shorts(target, first<unsigned short>(b.value), bytes / 2, native(stream));
  else if (repeats(b.value, itemsize, 4))
    api.set_words(target, first<unsigned>(b.value), bytes / 4, native(stream));
  else
    return false;
  return true;
}

}  // namespace

bool CudaDevice::run(const Builtin& b, Stream& stream) {
  auto bytes = static_cast<size_t>(size_of(b.shape) * size_of(b.target_dtype));
  if (!is_contiguous({b.shape, b.target_strides}, Order::k)) return false;
  enter();
  if (b.kind == Builtin::Kind::fill) return bytes == 0 || fill(api_, b, bytes, stream);
  if (b.kind != Builtin::Kind::copy || b.source_dtype != b.target_dtype || !same_strides(b))
    return false;
  if (bytes != 0) api_.copy(address(b.target), address(b.source), bytes, native(stream));
  return true;
}

}  // namespace gpuarr::cuda
