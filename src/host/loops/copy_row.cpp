#include "host/loops/copy_row.hpp"

#include <array>
#include <cstring>
#include <tuple>

#include "host/loops/convert.hpp"

namespace gpuarr::host {
namespace {

// By value of DType, from 1.
using Elements =
    std::tuple<Bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
               Float16, BFloat16, float, double, Complex<float>, Complex<double>>;
constexpr int dtype_count = GPUARR_C128;
static_assert(std::tuple_size_v<Elements> == dtype_count);

// Elements go through memcpy, since memory of a caller need not be aligned.
template <class To, class From>
void convert_one(std::byte* target, const std::byte* source) {
  From value;
  std::memcpy(&value, source, sizeof value);
  const To result = convert<To>(value);
  std::memcpy(target, &result, sizeof result);
}

template <class To, class From>
void convert_row(std::byte* __restrict target, int64_t target_stride,
                 const std::byte* __restrict source, int64_t source_stride, int64_t count) {
  constexpr int64_t to = sizeof(To), from = sizeof(From);
  if (target_stride == 1 && source_stride == 1)
    for (int64_t i = 0; i < count; ++i) convert_one<To, From>(target + i * to, source + i * from);
  else
    for (int64_t i = 0; i < count; ++i)
      convert_one<To, From>(target + i * target_stride * to, source + i * source_stride * from);
}

template <int64_t size>
void move_row(std::byte* target, int64_t target_stride, const std::byte* source,
              int64_t source_stride, int64_t count) {
  if (target_stride == 1 && source_stride == 1) {
    std::memcpy(target, source, static_cast<size_t>(count * size));
  } else if (target_stride == 1 && source_stride == 0) {
    std::array<std::byte, size> value;
    std::memcpy(value.data(), source, size);
    for (int64_t i = 0; i < count; ++i) std::memcpy(target + i * size, value.data(), size);
  } else {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(target + i * target_stride * size, source + i * source_stride * size, size);
  }
}

template <int target, int source>
constexpr CopyRow row_of() {
  using To = std::tuple_element_t<target - 1, Elements>;
  using From = std::tuple_element_t<source - 1, Elements>;
  if constexpr (target == source)
    return move_row<sizeof(To)>;
  else
    return convert_row<To, From>;
}

template <int target, int... sources>
constexpr std::array<CopyRow, dtype_count> rows_to(
    std::integer_sequence<int, sources...> /*from 0*/) {
  return {row_of<target, sources + 1>()...};
}

template <int... targets>
constexpr std::array<std::array<CopyRow, dtype_count>, dtype_count> all_rows(
    std::integer_sequence<int, targets...> sources) {
  return {rows_to<targets + 1>(sources)...};
}

constexpr auto rows = all_rows(std::make_integer_sequence<int, dtype_count>());

}  // namespace

CopyRow copy_row(DType target, DType source) {
  return rows[static_cast<size_t>(target) - 1][static_cast<size_t>(source) - 1];
}

}  // namespace gpuarr::host
