#include "core/dtype.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/error.hpp"

namespace gpuarr {
namespace {

using enum DTypeKind;

constexpr DTypeFacts rows[] = {
    {DType::boolean, boolean, 1, 1, "bool", "b8", "bool", 'b', 6},
    {DType::i8, integer, 1, 1, "int8", "i8", "int8", 'i', 0},
    {DType::i16, integer, 2, 2, "int16", "i16", "int16", 'i', 0},
    {DType::i32, integer, 4, 4, "int32", "i32", "int32", 'i', 0},
    {DType::i64, integer, 8, 8, "int64", "i64", "int64", 'i', 0},
    {DType::u8, natural, 1, 1, "uint8", "u8", "uint8", 'u', 1},
    {DType::u16, natural, 2, 2, "uint16", "u16", "uint16", 'u', 1},
    {DType::u32, natural, 4, 4, "uint32", "u32", "uint32", 'u', 1},
    {DType::u64, natural, 8, 8, "uint64", "u64", "uint64", 'u', 1},
    {DType::f16, real, 2, 2, "float16", "f16", "float16", 'f', 2},
    {DType::bf16, real, 2, 2, "bfloat16", "bf16", "bfloat16", 0, 4},
    {DType::f32, real, 4, 4, "float32", "f32", "float32", 'f', 2},
    {DType::f64, real, 8, 8, "float64", "f64", "float64", 'f', 2},
    {DType::c64, complex, 8, 8, "complex64", "c64", "complex64", 'c', 5},
    {DType::c128, complex, 16, 16, "complex128", "c128", "complex128", 'c', 5},
};

using Typestr = std::array<char, 5>;

constexpr Typestr spell(const DTypeFacts& r) {
  Typestr out{};
  size_t at = 0;
  out[at++] = r.size == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  out[at++] = r.npy_kind != 0 ? r.npy_kind : 'V';
  if (r.size > 9) out[at++] = '1';
  out[at] = static_cast<char>('0' + r.size % 10);
  return out;
}

constexpr auto typestrs = [] {
  std::array<Typestr, std::size(rows)> out{};
  std::ranges::transform(rows, out.begin(), spell);
  return out;
}();

}  // namespace

std::span<const DTypeFacts> dtype_table() { return rows; }

const DTypeFacts& facts_of(DType dtype) { return rows[static_cast<int>(dtype) - 1]; }

const char* typestr(DType dtype) { return typestrs[static_cast<size_t>(dtype) - 1].data(); }

// Constants of C are given to fmt as int{...}: from its version 10 on it formats no enumerations.
DType dtype_of(gpuarr_dtype value, const char* argument) {
  if (!is_dtype(value))
    fail(GPUARR_ERR_DTYPE,
         "{} is {}, which is not a dtype; give a GPUARR_... constant from {} to {}", argument,
         value, int{GPUARR_BOOL}, int{GPUARR_C128});
  return static_cast<DType>(value);
}

std::optional<DType> find_dtype(std::string_view name) {
  const auto* found = std::ranges::find_if(
      rows, [&](const DTypeFacts& r) { return name == r.name || name == r.short_name; });
  if (found == std::end(rows)) return std::nullopt;
  return found->dtype;
}

const char* unsigned_type(int bytes, const char* wider) {
  constexpr const char* types[] = {"unsigned char", "unsigned short", "unsigned",
                                   "unsigned long long"};
  return bytes > 8 ? wider : types[std::countr_zero(static_cast<unsigned>(bytes))];
}

}  // namespace gpuarr
