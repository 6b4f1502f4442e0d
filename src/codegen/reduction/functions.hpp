// The functions of a reduction's source that every form calls, with the user's texts in them:
//
//   _map(_p, elements..., _i, _j, _l) what an element of the inputs counts as
//   _reduce(_p, a, b)               two partial results, combined
//   _finish(_p, _o, _a)             sets the outputs of result number _o of the nest's order
//   _finish_at(_p, _q, _x, _a)      the same by index _x along the inner kept axis and number _q of
//                                   the others; only where results are finished
//   _partial(_p, _s, _i)            partial result number _i, in C order, of set _s; only in stages
//                                   that read some
//   _at                             where an element of each input is, and its numbers
//   _at_result(_p, _o)              the first element of a result, _o counting as for _finish
#pragma once

#include <array>
#include <span>
#include <string>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/reduction/reduction.hpp"
#include "core/text.hpp"

namespace gpuarr {

std::string reduction_functions(const ReductionText& text, const ReductionPlan& plan,
                                std::span<const Operand> operands,
                                std::span<const OperandName> names);

/// A number of an element that map may read: a field of _at, in the order of _map's parameters.
struct ElementNumber {
  char letter;
  bool used;
};
inline std::array<ElementNumber, 3> element_numbers(const ReductionPlan& plan) {
  return {{{'i', plan.traits.uses_i}, {'j', plan.traits.uses_j}, {'l', plan.traits.uses_l}}};
}

/// Statements that move the _at called `at` by index `x` along an axis.
std::string step_inputs(const ReductionPlan& plan, std::span<const Operand> operands,
                        const std::string& at, const std::string& x, int axis);

/// Statements that move the outputs' pointers, and _i if the text reads it, by index _x along an
/// axis.
std::string step_outputs(const ReductionPlan& plan, std::span<const Operand> operands, int axis);

/// A field that is divided by, as a number.
std::string divisor_number(const ReductionPlan& plan, const std::string& field, bool reduced);

/// Statements that take indices along the axes first ... last out of `rest`, the last axis fastest,
/// and hand each, as the expression _x, to `visit`, which writes what to do with it.
template <class Visit>
std::string take_indices(const ReductionPlan& plan, const std::string& rest, int first, int last,
                         Visit&& visit) {
  std::string out;
  for (int axis = last; axis >= first; --axis) {
    std::string extent = formatted("extent{}", axis);
    if (axis == first)
      out += formatted("  {{ const auto _x = {};\n", rest);
    else
      out += formatted(
          "  {{ const auto _q = {0} / _p._{1}; const auto _x = {0} - _q * {2}; {0} = _q;\n", rest,
          extent, divisor_number(plan, extent, axis >= plan.kept));
    out += visit(axis) + "  }\n";
  }
  return out;
}

}  // namespace gpuarr
