#include "linalg/factors/equations.hpp"

#include "array/views.hpp"
#include "core/error.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {

Equations::Equations(const Array& a, const Array& b, const char* label, bool transposed)
    : stack(stack_of(a)), vector(b.ndim() == 1) {
  check_device(b, "b", a.device());
  dtype = common_dtype(factor_dtype(a, label), factor_dtype(b, "b"));
  const int64_t equations = transposed ? columns_of(a) : rows_of(a);
  const int64_t unknowns = transposed ? rows_of(a) : columns_of(a);
  if (b.ndim() == 0)
    fail(GPUARR_ERR_SHAPE, "b has shape (); give a vector, or matrices of right sides");
  right = vector ? with_axis(b, 0) : b;
  if (rows_of(right) != equations)
    fail(GPUARR_ERR_SHAPE, "b has shape {}, but {} has {}, so that b must have {} {}",
         to_string(b.layout.shape), label, to_string(a.layout.shape), equations,
         vector ? "elements" : "rows");
  if (!broadcast_into(stack, stack_of(right)))
    fail(GPUARR_ERR_BROADCAST,
         "the stacks of {}, of shape {}, and of b, of shape {}, do not "
         "broadcast together",
         label, to_string(a.layout.shape), to_string(b.layout.shape));
  if (size_of(stack_of(a)) != 1) left = stack;
  shape = vector ? with(stack, unknowns) : with(stack, unknowns, columns_of(right));
}

Matrices Equations::joined(const Array& work) const {
  Matrices m = matrices_of(work);
  if (!left.empty()) return m;
  m.columns *= m.count;
  m.count = 1;
  return m;
}

Array Equations::result(const Array& work) const {
  return vector ? select(work, work.ndim() - 1, 0) : work;
}

}  // namespace gpuarr
