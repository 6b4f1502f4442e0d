#include "codegen/layout/nest.hpp"

#include <cstdlib>
#include <utility>

namespace gpuarr {
namespace {

// Calls f with each list that has a number for each axis.
template <class F>
void each_list(Nest& nest, std::span<const Operand> operands, F&& f) {
  f(nest.shape);
  f(nest.reduced);
  for (Counter& counter : nest.counters)
    if (counter.used) f(counter.strides);
  for (size_t k = 0; k < operands.size(); ++k)
    if (in_loop(operands[k].role)) f(nest.strides[k]);
}

bool joins(const Nest& nest, std::span<const Operand> operands, int outer) {
  if (nest.reduced[as_index(outer)] != nest.reduced[as_index(outer + 1)]) return false;
  int64_t extent = nest.extent(outer + 1);
  for (const Counter& counter : nest.counters)
    if (counter.used &&
        counter.strides[as_index(outer)] != counter.strides[as_index(outer + 1)] * extent)
      return false;
  for (int k = 0; k < static_cast<int>(operands.size()); ++k)
    if (in_loop(operands[as_index(k)].role) &&
        nest.stride(k, outer) != nest.stride(k, outer + 1) * extent)
      return false;
  return true;
}

}  // namespace

Nest blank_nest(int ndim) {
  Nest nest{};
  nest.ndim = ndim;
  nest.shape.fill(1);
  return nest;
}

// Insertion sort: the order is nearly always right already, and with strides of 0 no comparison is
// the strict weak order that std::sort needs.
void sort_axes(Nest& nest, std::span<const Operand> operands, LiesInside lies_inside) {
  for (int end = 1; end < nest.ndim; ++end)
    for (int a = end; a > 0 && lies_inside(nest, operands, a - 1, a); --a)
      each_list(nest, operands,
                [&](auto& list) { std::swap(list[as_index(a - 1)], list[as_index(a)]); });
}

int compare_steps(const Nest& nest, std::span<const Operand> operands, Role role, int a, int b) {
  for (int k = 0; k < static_cast<int>(operands.size()); ++k) {
    if (operands[as_index(k)].role != role) continue;
    int64_t sa = std::abs(nest.stride(k, a));
    int64_t sb = std::abs(nest.stride(k, b));
    if (sa != 0 && sb != 0 && sa != sb) return sa < sb ? 1 : -1;
  }
  return 0;
}

bool outputs_decide(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  int order = compare_steps(nest, operands, Role::output, a, b);
  if (order == 0) order = compare_steps(nest, operands, Role::input, a, b);
  return order != 0 ? order > 0 : a > b;
}

void flip_axis(Nest& nest, std::span<const Operand> operands, int axis) {
  bool negative = false;
  bool positive = false;
  for (int k = 0; k < static_cast<int>(operands.size()); ++k)
    if (in_loop(operands[as_index(k)].role)) {
      negative |= nest.stride(k, axis) < 0;
      positive |= nest.stride(k, axis) > 0;
    }
  if (!negative || positive) return;
  int64_t last = nest.extent(axis) - 1;
  for (Counter& counter : nest.counters)
    if (counter.used) {
      counter.start += last * counter.strides[as_index(axis)];
      counter.strides[as_index(axis)] *= -1;
    }
  for (int k = 0; k < static_cast<int>(operands.size()); ++k)
    if (in_loop(operands[as_index(k)].role)) {
      nest.data[as_index(k)] += last * nest.stride(k, axis) * size_of(operands[as_index(k)].dtype);
      nest.strides[as_index(k)][as_index(axis)] *= -1;
    }
}

void join_axes(Nest& nest, std::span<const Operand> operands) {
  for (int outer = nest.ndim - 2; outer >= 0; --outer) {
    if (!joins(nest, operands, outer)) continue;
    nest.shape[as_index(outer + 1)] *= nest.extent(outer);
    each_list(nest, operands, [&](auto& list) {
      for (int a = outer; a + 1 < nest.ndim; ++a) list[as_index(a)] = list[as_index(a + 1)];
    });
    --nest.ndim;
  }
}

void insert_axis(Nest& nest, std::span<const Operand> operands, int place, bool reduced) {
  ++nest.ndim;
  each_list(nest, operands, [&](auto& list) {
    for (int a = nest.ndim - 1; a > place; --a) list[as_index(a)] = list[as_index(a - 1)];
    list[as_index(place)] = 0;
  });
  nest.shape[as_index(place)] = 1;
  nest.reduced[as_index(place)] = reduced;
}

int64_t furthest(const Nest& nest, int operand) {
  int64_t distance = 0;
  for (int axis = 0; axis < nest.ndim; ++axis)
    distance += (nest.extent(axis) - 1) * std::abs(nest.stride(operand, axis));
  return distance;
}

}  // namespace gpuarr
