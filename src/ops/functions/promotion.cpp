#include "ops/functions/promotion.hpp"

#include <algorithm>
#include <array>

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace promotion_detail {
namespace {

constexpr int dtype_count = GPUARR_C128 + 1;

enum Kind : int8_t { none = -1, boolean, natural, integer, real, complex };

struct Facts {
  Kind kind;
  int size;
};

// By GPUARR_BOOL and so on, since the table of dtypes is not there while the compiler computes.
constexpr std::array<Facts, dtype_count> facts = {{{none, 0},
                                                   {boolean, 1},
                                                   {integer, 1},
                                                   {integer, 2},
                                                   {integer, 4},
                                                   {integer, 8},
                                                   {natural, 1},
                                                   {natural, 2},
                                                   {natural, 4},
                                                   {natural, 8},
                                                   {real, 2},
                                                   {real, 2},
                                                   {real, 4},
                                                   {real, 8},
                                                   {complex, 8},
                                                   {complex, 16}}};

constexpr Facts of(DType dtype) { return facts[static_cast<size_t>(dtype)]; }
constexpr bool whole(DType dtype) { return of(dtype).kind <= integer; }

constexpr DType signed_of(int size) {
  return size == 2 ? DType::i16 : size == 4 ? DType::i32 : size == 8 ? DType::i64 : DType::f64;
}

// The float that holds all values of an integer type, or float64.
constexpr DType float_for(DType dtype) {
  if (!whole(dtype)) return dtype;
  return of(dtype).size == 1 ? DType::f16 : of(dtype).size == 2 ? DType::f32 : DType::f64;
}

constexpr DType joined_whole(DType a, DType b) {
  if (of(a).kind == boolean) return b;
  if (of(b).kind == boolean) return a;
  const DType larger = of(a).size >= of(b).size ? a : b;
  if (of(a).kind == of(b).kind || (of(larger).kind == integer && of(a).size != of(b).size))
    return larger;
  return signed_of(of(larger).size * 2);
}

constexpr DType joined_real(DType a, DType b) {
  // Eight bits of an integer fit into either 16-bit float.
  if (whole(a) && of(a).size == 1) return b;
  if (whole(b) && of(b).size == 1) return a;
  const DType x = float_for(a);
  const DType y = float_for(b);
  if (x == y) return x;
  if (of(x).size == of(y).size) return DType::f32;  // float16 and bfloat16
  return of(x).size > of(y).size ? x : y;
}

constexpr bool wants_double(DType dtype) {
  if (of(dtype).kind == complex) return of(dtype).size == 16;
  return of(float_for(dtype)).size == 8;
}

constexpr DType joined(DType a, DType b) {
  if (a == b) return a;
  if (of(a).kind == complex || of(b).kind == complex)
    return wants_double(a) || wants_double(b) ? DType::c128 : DType::c64;
  return whole(a) && whole(b) ? joined_whole(a, b) : joined_real(a, b);
}

constexpr auto joins = [] {
  std::array<std::array<DType, dtype_count>, dtype_count> all{};
  for (int a = GPUARR_BOOL; a < dtype_count; ++a)
    for (int b = GPUARR_BOOL; b < dtype_count; ++b)
      all[static_cast<size_t>(a)][static_cast<size_t>(b)] =
          joined(static_cast<DType>(a), static_cast<DType>(b));
  return all;
}();

constexpr DType no_dtype{};

DType join(DType so_far, DType more) {
  if (so_far == no_dtype) return more;
  return joins[static_cast<size_t>(so_far)][static_cast<size_t>(more)];
}

DType default_of(int kind) {
  if (kind <= boolean) return DType::boolean;
  return kind == integer ? DType::i64 : kind == real ? DType::f64 : DType::c128;
}

}  // namespace
}  // namespace promotion_detail

void Joining::join_array(DType dtype) {
  using namespace promotion_detail;
  arrays_ = join(arrays_, dtype);
  if (whole(dtype)) floats_ = join(floats_, float_for(dtype));
}

void Joining::add_scalar(DType dtype) {
  using namespace promotion_detail;
  const int kind = of(dtype).kind == natural ? integer : of(dtype).kind;
  weak_ = std::max(weak_, kind);
}

// A scalar of a higher kind than the arrays takes them along, with as little precision as can be.
DType Joining::all_arrays() const {
  using namespace promotion_detail;
  if (arrays_ == no_dtype) return default_of(weak_);
  const int kind = of(arrays_).kind;
  if (weak_ <= kind || (weak_ == integer && kind == natural)) return arrays_;
  if (weak_ == complex && kind == real) return of(arrays_).size == 8 ? DType::c128 : DType::c64;
  return default_of(weak_);
}

DType Joining::joined(Promotes rule) const {
  using namespace promotion_detail;
  const DType dtype = all_arrays();
  switch (rule) {
    case Promotes::same:
      return dtype;
    case Promotes::number:
      return dtype == DType::boolean ? DType::i8 : dtype;
    case Promotes::floating:
      if (!whole(dtype)) return dtype;
      return dtype != arrays_ ? DType::f64 : floats_;
    case Promotes::divided:
      return whole(dtype) ? DType::f64 : dtype;
    case Promotes::doubled:
      return of(dtype).kind == complex ? DType::c128 : DType::f64;
  }
  return dtype;
}

bool may_become(DType from, DType to) {
  return promotion_detail::of(from).kind <= promotion_detail::of(to).kind;
}

DType part_of_complex(DType dtype) {
  if (dtype == DType::c64) return DType::f32;
  return dtype == DType::c128 ? DType::f64 : dtype;
}

}  // namespace gpuarr
