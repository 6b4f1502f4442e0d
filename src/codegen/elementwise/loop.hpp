// What writes the loop of an elementwise kernel, for either device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/layout/writer.hpp"

namespace gpuarr {

struct LoopWriter {
  const ElementwiseText& pieces;
  const LoopVariant& variant;
  KernelWriter out;

  LoopWriter(const ElementwiseText& pieces_, const LoopVariant& variant_,
             std::span<const OperandName> names)
      : pieces(pieces_), variant(variant_), out(variant_.operands, names) {}

  int inner() const { return variant.ndim - 1; }
  const OperandName& name(int k) const { return out.names[as_index(k)]; }
  /// The operand whose element the variable starts as.
  int source(int k) const { return name(k).starts_as >= 0 ? name(k).starts_as : k; }
  bool moves(int k) const {  // steps along the inner axis
    return in_loop(out.operand(k).role) && variant.how(k) != Access::single &&
           variant.how(k) != Access::repeated;
  }
  std::vector<int> variables() const;  // operands that the body has variables for

  /// struct _place, a step along an outer axis (_step), and where a row begins (_at_row).
  void write_places();
  /// i of the element that lies _k further along the inner axis than a place.
  std::string index(const char* place) const;
};

/// The type of numbers of elements, and of distances between them.
const char* index_type(const LoopVariant& variant);
const char* offset_type(const LoopVariant& variant);

}  // namespace gpuarr
