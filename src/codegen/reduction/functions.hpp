// The functions of a reduction's source that every form calls, beside those of texts.hpp:
//
//   _finish(_p, number, a)           sets the outputs of a result, numbered in the nest's order
//   _finish_at(_p, outer, inner, a)  the same by its number along the outer kept axes and its index
//                                    along the inner one; only where results are finished
//   _number(_p, number)              its number in a set of partial results; only if there are any
//   _partial(_p, set, number)        a partial result of a set; only in stages that read some
//   _place, _at_result(_p, number)   the first element of a result
#pragma once

#include <array>
#include <span>
#include <string>

#include "codegen/layout/writer.hpp"
#include "codegen/reduction/reduction.hpp"

namespace gpuarr {

std::string reduction_functions(const ReductionText& text, const ReductionVariant& variant,
                                std::span<const OperandName> names);

/// A number of an element that map may read: a field of _place, in the order of _map's parameters.
struct ElementNumber {
  char letter;
  bool used;
};
inline std::array<ElementNumber, 3> element_numbers(const ReductionVariant& variant) {
  return {
      {{'i', variant.traits.uses_i}, {'j', variant.traits.uses_j}, {'l', variant.traits.uses_l}}};
}

/// struct _place, where an element of each input is, and struct _results, where a result is.
PlaceText input_place(const KernelWriter& out, const ReductionVariant& variant);
PlaceText result_place(const KernelWriter& out, const ReductionVariant& variant);

/// How many elements the nest has along an axis.
std::string extent(const ReductionVariant& variant, int axis);

/// Statements that take indices along the axes first ... last out of `rest`, the last axis fastest,
/// and go there.
std::string steps(const PlaceText& place, const ReductionVariant& variant, const std::string& at,
                  const std::string& rest, int last, int first = 0);

}  // namespace gpuarr
