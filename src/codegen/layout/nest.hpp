// The axes of a loop, and how operands and counters step along them: put in order, turned round and
// joined here, before a plan says what they mean. Made anew for each call, so without heap memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/dtype.hpp"
#include "core/shape.hpp"

namespace gpuarr {

constexpr size_t as_index(int i) { return static_cast<size_t>(i); }
constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

constexpr int max_operands = 32;

enum class Role : uint8_t {
  input,
  output,
  scalar,     // by value
  raw_input,  // the whole array, indexed by the body
  raw_output,
};

inline bool is_raw(Role role) { return role == Role::raw_input || role == Role::raw_output; }
inline bool in_loop(Role role) { return role == Role::input || role == Role::output; }

/// One array or scalar of a call. The layout of a loop operand broadcasts to the loop's shape.
struct Operand {
  Role role;
  DType dtype;
  void* data;            // element with all indices 0; null for a scalar
  const Layout* layout;  // null for a scalar
  const void* value;     // of a scalar, else null
};

/// A number that the kernel's text reads, such as i. It steps along the axes as an operand does.
struct Counter {
  bool used = false;
  int64_t start = 0;
  std::array<int64_t, max_ndim> strides;
};

struct Nest {
  int ndim = 0;  // axes left; the last is the inner one
  std::array<int64_t, max_ndim> shape;
  std::array<bool, max_ndim> reduced;    // an axis that results do not have
  std::array<char*, max_operands> data;  // first element
  std::array<std::array<int64_t, max_ndim>, max_operands> strides;  // of those in the loop
  std::array<Counter, 5> counters;

  /// What a list has of the axes that are left.
  std::span<const int64_t> first(const std::array<int64_t, max_ndim>& list) const {
    return {list.data(), as_index(ndim)};
  }
  int64_t extent(int axis) const { return shape[static_cast<size_t>(axis)]; }
  int64_t stride(int operand, int axis) const {
    return strides[static_cast<size_t>(operand)][static_cast<size_t>(axis)];
  }
  int64_t step(int counter, int axis) const {
    return counters[static_cast<size_t>(counter)].strides[static_cast<size_t>(axis)];
  }
};

/// Of so many axes, each of one index.
Nest blank_nest(int ndim);

/// Whether axis a should lie further inside than axis b.
using LiesInside = bool (*)(const Nest&, std::span<const Operand>, int a, int b);

void sort_axes(Nest& nest, std::span<const Operand> operands, LiesInside lies_inside);

/// Whether the first operand of the role that tells the axes apart has a closer step along a: 1 or
/// -1, or 0 if none tells.
int compare_steps(const Nest& nest, std::span<const Operand> operands, Role role, int a, int b);

/// Whether a should lie further inside than b, as far as the outputs tell, and else the inputs.
bool outputs_decide(const Nest& nest, std::span<const Operand> operands, int a, int b);

/// An axis along which nobody steps forward is walked from its other end.
void flip_axis(Nest& nest, std::span<const Operand> operands, int axis);

/// Joins neighbours of one kind that everybody walks as one axis.
void join_axes(Nest& nest, std::span<const Operand> operands);

/// Puts an axis of one index at the place; nobody moves along it.
void insert_axis(Nest& nest, std::span<const Operand> operands, int at, bool reduced);

/// How far an operand's elements lie from its first one.
int64_t furthest(const Nest& nest, int operand);

}  // namespace gpuarr
