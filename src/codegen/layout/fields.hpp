// The fields of a kernel's parameter struct. A walk over a plan hands each field to a sink, which
// measures, writes or declares it: one walk serves all three, so that they cannot differ. What is
// declared is a blank plan of a variant, so that it cannot depend on a call's numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "codegen/layout/variant.hpp"

namespace gpuarr {

/// Type of a raw operand in the kernel.
std::string view_type(const OperandVariant& operand);

constexpr size_t most_parameter_bytes = 32764;  // CUDA's limit, which the CPU device shares

constexpr int scalar_bytes = 16;  // a slot that suits every dtype
constexpr int field_bytes = 8;    // every other field is a multiple of it

// Measuring and writing are part of every call.
struct MeasureFields {
  const OperandVariants& operands;
  size_t bytes = 0;

  void scalar(int /*k*/) { bytes += scalar_bytes; }
  void number(const char* /*name*/, int64_t /*value*/) { bytes += field_bytes; }
  void numbers(const char* /*name*/, std::span<const int64_t> values) {
    bytes += values.size_bytes();
  }
  // A number that is divided by. Where `fast`, a multiplication and a shift stand in for the
  // division of numbers below 2^31.
  void divisor(const char* /*name*/, int64_t /*value*/, bool fast) {
    bytes += fast ? 2 * field_bytes : field_bytes;
  }
  void divisors(const char* /*name*/, std::span<const int64_t> values, bool fast) {
    bytes += values.size_bytes() * (fast ? 2 : 1);
  }
  // To an operand's elements.
  void pointer(int /*k*/, const void* /*data*/) { bytes += field_bytes; }
  void address(const char* /*name*/, const char* /*type*/, const void* /*data*/) {
    bytes += field_bytes;
  }
  void strides(int /*k*/, std::span<const int64_t> values) { bytes += values.size_bytes(); }
  void core(int /*k*/, std::span<const int64_t> values) { bytes += values.size_bytes(); }
  void view(int k);  // of a raw operand

  size_t total() const;  // a multiple of 16
};

// Where each scalar went, each pointer to elements and each view; by operand.
using FieldOffsets = std::array<int, max_operands>;

struct WriteFields {
  std::span<const Operand> operands;
  std::byte* begin;
  FieldOffsets* offsets;  // may be null
  std::byte* next = begin;

  void scalar(int k);
  void number(const char* /*name*/, int64_t value) { put(&value, field_bytes); }
  void numbers(const char* /*name*/, std::span<const int64_t> values) {
    put(values.data(), values.size_bytes());
  }
  void divisor(const char* name, int64_t value, bool fast);
  void divisors(const char* name, std::span<const int64_t> values, bool fast);
  void pointer(int k, const void* data) {
    note(k);
    put(&data, field_bytes);
  }
  void address(const char* /*name*/, const char* /*type*/, const void* data) {
    put(&data, field_bytes);
  }
  void strides(int /*k*/, std::span<const int64_t> values) {
    put(values.data(), values.size_bytes());
  }
  void core(int /*k*/, std::span<const int64_t> values) { put(values.data(), values.size_bytes()); }
  void view(int k);

 private:
  void note(int k) {
    if (offsets != nullptr) (*offsets)[static_cast<size_t>(k)] = static_cast<int>(next - begin);
  }
  void put(const void* value, size_t bytes) {
    std::memcpy(next, value, bytes);
    next += bytes;
  }
};

struct DeclareFields {
  const OperandVariants& operands;
  std::string text = "struct _params {\n";

  void scalar(int k);
  void number(const char* name, int64_t value);
  void numbers(const char* name, std::span<const int64_t> values);
  void divisor(const char* name, int64_t value, bool fast);
  void divisors(const char* name, std::span<const int64_t> values, bool fast);
  void pointer(int k, const void* data);
  void address(const char* name, const char* type, const void* data);
  void strides(int k, std::span<const int64_t> values);
  void core(int k, std::span<const int64_t> values);  // strides of a gufunc's core
  void view(int k);
};

}  // namespace gpuarr
