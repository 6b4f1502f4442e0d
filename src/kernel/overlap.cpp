#include "kernel/overlap.hpp"

#include <numeric>

namespace gpuarr {
namespace {

int64_t address(const Array& a) { return reinterpret_cast<intptr_t>(a.data); }

int64_t stride_gcd(const Array& a, int64_t g) {
  for (int axis = 0; axis < a.ndim(); ++axis)
    if (a.layout.shape[axis] > 1) g = std::gcd(g, a.layout.strides[axis] * a.itemsize());
  return g;
}

}  // namespace

bool may_overlap(const Array& a, const Array& b) {
  if (a.data == nullptr || b.data == nullptr) return false;
  Reach ra = reach(a.layout);
  Reach rb = reach(b.layout);
  if (address(a) + (ra.high + 1) * a.itemsize() <= address(b) + rb.low * b.itemsize() ||
      address(b) + (rb.high + 1) * b.itemsize() <= address(a) + ra.low * a.itemsize())
    return false;
  // All addresses of each are equal modulo the common divisor of the strides.
  int64_t g = stride_gcd(b, stride_gcd(a, 0));
  if (g == 0) return true;
  int64_t apart = ((address(b) - address(a)) % g + g) % g;
  return apart < a.itemsize() || apart + b.itemsize() > g;
}

bool same_steps(const Layout& a, const Layout& b, const Dims& loop_shape) {
  for (int axis = 0; axis < loop_shape.size(); ++axis)
    if (loop_shape[axis] > 1 &&
        broadcast_stride(a, loop_shape, axis) != broadcast_stride(b, loop_shape, axis))
      return false;
  return true;
}

bool same_place(const Array& a, const Array& b, const Dims& loop_shape) {
  return a.data == b.data && a.itemsize() == b.itemsize() &&
         same_steps(a.layout, b.layout, loop_shape);
}

}  // namespace gpuarr
