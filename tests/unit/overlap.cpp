// Whether views share memory: against sets of addresses, over random small views.
#include "kernel/overlap.hpp"

#include <array>
#include <random>
#include <set>

#include "check.hpp"

using namespace gpuarr;

namespace {

constexpr int64_t base = 4096;

Array view(int64_t byte, DType dtype, Dims shape, Dims strides) {
  Array a;
  a.dtype = dtype;
  a.layout = {shape, strides};
  a.data = reinterpret_cast<decltype(a.data)>(base + byte);  // never read
  return a;
}

std::set<int64_t> bytes_of(const Array& a) {
  std::set<int64_t> out;
  for (int64_t k = 0; k < size_of(a.layout.shape); ++k) {
    int64_t rest = k;
    int64_t at = reinterpret_cast<intptr_t>(a.data);
    for (int axis = a.ndim() - 1; axis >= 0; --axis) {
      at += rest % a.layout.shape[axis] * a.layout.strides[axis] * a.itemsize();
      rest /= a.layout.shape[axis];
    }
    for (int b = 0; b < a.itemsize(); ++b) out.insert(at + b);
  }
  return out;
}

bool share(const Array& a, const Array& b) {
  std::set<int64_t> of_a = bytes_of(a);
  for (int64_t byte : bytes_of(b))
    if (of_a.contains(byte)) return true;
  return false;
}

void known_views() {
  Dims n = {10};
  Array all = view(0, DType::f32, {20}, {1});
  Array even = view(0, DType::f32, n, {2});
  Array odd = view(4, DType::f32, n, {2});
  Array reversed = view(19 * 4, DType::f32, {20}, {-1});
  Array behind = view(80, DType::f32, n, {1});
  CHECK(may_overlap(all, even) && may_overlap(all, odd) && may_overlap(all, reversed));
  CHECK(!may_overlap(even, odd) && !may_overlap(odd, even));
  CHECK(!may_overlap(all, behind) && !may_overlap(behind, reversed));
  CHECK(!may_overlap(all, view(0, DType::f32, {0}, {1})));
  CHECK(!may_overlap(view(0, DType::f32, {0, 5}, {1, 1}), all));
  // Real and imaginary parts of complex numbers.
  CHECK(!may_overlap(view(0, DType::f32, n, {2}), view(4, DType::f32, n, {2})));
  CHECK(may_overlap(view(0, DType::c64, n, {1}), view(4, DType::f32, n, {2})));
  // Columns of one matrix.
  CHECK(!may_overlap(view(0, DType::f64, {8}, {4}), view(8, DType::f64, {8}, {4})));
  CHECK(may_overlap(view(0, DType::f64, {8}, {4}), view(32, DType::f64, {8}, {4})));
}

void the_same_place() {
  Array a = view(0, DType::f32, {3, 4}, {4, 1});
  CHECK(same_place(a, a, {3, 4}));
  CHECK(same_place(a, view(0, DType::f32, {3, 4}, {4, 1}), {3, 4}));
  CHECK(same_place(a, view(0, DType::i32, {3, 4}, {4, 1}), {3, 4}));
  CHECK(!same_place(a, view(4, DType::f32, {3, 4}, {4, 1}), {3, 4}));
  CHECK(!same_place(a, view(0, DType::f32, {4}, {1}), {3, 4}));
  CHECK(!same_place(a, view(0, DType::f32, {3, 4}, {1, 3}), {3, 4}));
  CHECK(!same_place(a, view(0, DType::f64, {3, 4}, {4, 1}), {3, 4}));
  // Strides along axes of one index do not count.
  CHECK(same_place(view(0, DType::f32, {1, 4}, {9, 1}), view(0, DType::f32, {4}, {1}), {1, 4}));
}

void random_views() {
  constexpr std::array dtypes = {DType::i8, DType::i16, DType::f32, DType::f64, DType::c128};
  std::mt19937 random(3);
  auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  auto draw = [&] {
    Dims shape;
    Dims strides;
    for (int k = between(0, 3); k > 0; --k) {
      shape.push_back(between(1, 4));
      strides.push_back(between(-6, 6));
    }
    DType dtype = dtypes[static_cast<size_t>(between(0, 4))];
    int64_t size = size_of(dtype);
    return view(random() % 2 == 0 ? between(0, 40) * size : between(0, 300), dtype, shape, strides);
  };
  int shared = 0;
  int told_apart = 0;
  for (int round = 0; round < 100000; ++round) {
    Array a = draw();
    Array b = draw();
    bool overlap = share(a, b);
    shared += overlap;
    told_apart += !may_overlap(a, b);
    CHECK_EQ(may_overlap(a, b), may_overlap(b, a));
    if (overlap) CHECK(may_overlap(a, b));
    Dims loop = a.layout.shape;
    if (broadcast_into(loop, b.layout.shape) && same_place(a, b, loop)) CHECK(overlap);
  }
  CHECK(shared > 10000 && told_apart > 10000);
}

}  // namespace

int main() {
  known_views();
  the_same_place();
  random_views();
  return check::result();
}
