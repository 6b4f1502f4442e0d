// The core dimensions of a gufunc, "(m,k),(k,n)->(m,n)", and how a call's arrays have them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "codegen/layout/nest.hpp"

namespace gpuarr {

constexpr int max_core_dims = 16;

struct CoreDim {
  std::string name;    // "n", or "3" of a fixed size
  int64_t fixed = -1;  // the size, if the signature says it
  bool optional = false;
};

struct CoreSignature {
  std::vector<CoreDim> dims;            // each once
  std::vector<std::vector<int>> cores;  // of each operand, inputs first
  int inputs = 0;
  /// c: cores are the last axes, and the others broadcast from the last one on. f: cores are the
  /// first axes, and the others broadcast from the first one on.
  Order order = Order::c;

  std::string core_text(int operand) const;  // "(m,k)"
};

/// The axes of one call's arrays.
struct CoreAxes {
  struct Operand {
    Layout outer;  // of the axes that are not the core's, as the loop has them
    Dims strides;  // of the core, one for each of its dimensions; 0 of one that is missing
  };
  std::array<int64_t, max_core_dims> sizes;   // of each dimension; 1 of one that is missing
  std::array<bool, max_core_dims> missing{};  // optional ones that an array has no axis for
  std::vector<Operand> operands;

  int64_t elements(const CoreSignature& signature, int operand) const;  // of a core
};

}  // namespace gpuarr
