// See second_unit.hpp.
#include "second_unit.hpp"

#include "gpuarr_ops.hpp"

using namespace gpuarr;

static_assert(__cplusplus >= 202002L, "this one is compiled as C++20");

Array made_in_the_second_unit() { return Array::from(std::vector<int32_t>{1, 2, 3}); }
void thrown_in_the_second_unit() { made_in_the_second_unit().reshape({2}); }
const void* sum_of_the_second_unit() { return &sum; }
const void* pending_of_the_second_unit() { return &pending; }
int64_t counted_in_the_second_unit(const Array& x) {
  return count_nonzero((1 != x) & (x == x)).item<int64_t>();  // C++20 would turn them round
}
