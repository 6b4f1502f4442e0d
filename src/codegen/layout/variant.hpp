// Variants: everything that a kernel's text depends on beside the user's own text. Writers get a
// variant and no plan, and its bytes are the key under which the compiled kernel is found again, so
// that no text can depend on what the key lacks. What a chosen form does not use is 0, so that no
// two keys stand for one text.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "codegen/layout/nest.hpp"
#include "core/narrow.hpp"

namespace gpuarr {

enum class Access : uint8_t {
  none,        // a scalar or raw operand
  single,      // one element for the whole loop
  repeated,    // one element for each row
  vector,      // stride 1 along the row, packs are aligned
  common,      // rows in one kernel: likewise, and the same elements for every row
  shifted,     // stride 1 along the row, packs may be misaligned
  general,     // by its strides
  transposed,  // tiled loops: stride 1 along the other axis
  packed,      // gufuncs: cores lie one behind the other along the row, as far as the text knows
  staged,      // gufuncs: a warp's cores lie one behind the other, and go through shared memory
  row_staged,  // likewise, as far as its places are in one row
};

/// An operand, as the text sees it.
struct OperandVariant {
  DType dtype;
  Role role;
  Access access;
  Small ndim;       // of a raw array
  bool contiguous;  // a raw array in C order
};

/// Operands of a variant. It is the last member, and the bytes behind `count` belong to no key.
struct OperandVariants {
  Small count;
  std::array<OperandVariant, max_operands> all;

  int size() const { return count; }
  OperandVariant& operator[](int k) { return all[as_index(k)]; }
  const OperandVariant& operator[](int k) const { return all[as_index(k)]; }
  auto begin() const { return all.begin(); }
  auto end() const { return all.begin() + count; }

  /// Takes over what is known before a plan is made: all but the accesses.
  void take(std::span<const Operand> operands);
};

/// What a table of kernels finds them by.
template <class Variant>
std::span<const std::byte> key_bytes(const Variant& variant) {
  static_assert(std::has_unique_object_representations_v<Variant> &&
                std::is_trivially_copyable_v<Variant>);
  const auto* begin = reinterpret_cast<const std::byte*>(&variant);
  if constexpr (requires { variant.operands; })
    return {begin, reinterpret_cast<const std::byte*>(&*variant.operands.end())};
  else
    return {begin, sizeof variant};
}

/// One dtype stands for a letter: that of an operand.
struct Letter {
  char letter;
  int operand;
};

}  // namespace gpuarr
