// Elements of any dtype, read and written as numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "row_texts.hpp"

namespace row_elements {

using gpuarr::DType;
using row_texts::Real;

inline Real read(DType dtype, const std::byte* at) {
  const auto as = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (dtype) {
    case DType::f16:
      return static_cast<Real>(row_texts::half_value(as(uint16_t())));
    case DType::bf16:
      return static_cast<Real>(std::bit_cast<float>(uint32_t{as(uint16_t())} << 16));
    case DType::f32:
      return static_cast<Real>(as(float()));
    case DType::f64:
      return static_cast<Real>(as(double()));
    case DType::i32:
      return static_cast<Real>(as(int32_t()));
    case DType::i64:
      return static_cast<Real>(as(int64_t()));
    default:  // bool, int8
      return static_cast<Real>(as(int8_t()));
  }
}

inline void write(DType dtype, std::byte* at, double value) {
  const auto put = [at](auto number) { std::memcpy(at, &number, sizeof number); };
  switch (dtype) {
    case DType::f16:
      return put(row_texts::half_bits(static_cast<float>(value)));
    case DType::bf16:
      return put(static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
    case DType::f32:
      return put(static_cast<float>(value));
    case DType::f64:
      return put(value);
    case DType::i32:
      return put(static_cast<int32_t>(value * 100));
    case DType::i64:
      return put(static_cast<int64_t>(value * 100));
    case DType::boolean:
      return put(static_cast<int8_t>(value > 0));
    default:
      return put(static_cast<int8_t>(value * 10));
  }
}

}  // namespace row_elements
