// Element types: one table row each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "gpuarr/dtype.h"

namespace gpuarr {

enum class DType : uint8_t {
  boolean = GPUARR_BOOL,
  i8 = GPUARR_I8,
  i16 = GPUARR_I16,
  i32 = GPUARR_I32,
  i64 = GPUARR_I64,
  u8 = GPUARR_U8,
  u16 = GPUARR_U16,
  u32 = GPUARR_U32,
  u64 = GPUARR_U64,
  f16 = GPUARR_F16,
  bf16 = GPUARR_BF16,
  f32 = GPUARR_F32,
  f64 = GPUARR_F64,
  c64 = GPUARR_C64,
  c128 = GPUARR_C128,
};

enum class DTypeKind { boolean, integer, natural, real, complex };  // natural: unsigned

struct DTypeFacts {
  DType dtype;
  DTypeKind kind;
  int size;                // bytes
  int alignment;           // bytes
  const char* name;        // NumPy's name, and that in parameter lists and kernels
  const char* short_name;  // "f32"
  const char* cxx;         // the type in generated code
  char npy_kind;           // the letter in .npy files; 0 where NumPy has none
  unsigned char dlpack;    // DLPack's code
};

std::span<const DTypeFacts> dtype_table();
const DTypeFacts& facts_of(DType dtype);

inline bool is_dtype(gpuarr_dtype value) { return value >= GPUARR_BOOL && value <= GPUARR_C128; }

/// Checks a value that came over the C ABI.
DType dtype_of(gpuarr_dtype value, const char* argument = "dtype");

std::optional<DType> find_dtype(std::string_view name);  // by either name

/// "<f4", as in .npy files and array interfaces; "<V2" for bfloat16, as ml_dtypes has it.
const char* typestr(DType dtype);

/// The unsigned integer of 1, 2, 4 or 8 bytes, as C++ spells it; `wider` for more.
const char* unsigned_type(int bytes, const char* wider);

inline const char* name(DType dtype) { return facts_of(dtype).name; }
inline int size_of(DType dtype) { return facts_of(dtype).size; }
inline bool is_integer(DType dtype) {
  return facts_of(dtype).kind == DTypeKind::integer || facts_of(dtype).kind == DTypeKind::natural;
}
inline bool is_complex(DType dtype) { return facts_of(dtype).kind == DTypeKind::complex; }
inline bool is_inexact(DType dtype) {
  return facts_of(dtype).kind == DTypeKind::real || is_complex(dtype);
}

/// 16-bit floats are computed in float32, other numbers in their own type.
inline DType computed_in(DType dtype) {
  const DTypeFacts& facts = facts_of(dtype);
  return facts.kind == DTypeKind::real && facts.size == 2 ? DType::f32 : dtype;
}

}  // namespace gpuarr
