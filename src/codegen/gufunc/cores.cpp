#include "codegen/gufunc/cores.hpp"

namespace gpuarr {

std::string CoreSignature::core_text(int operand) const {
  std::string out;
  for (const int dim : cores[as_index(operand)]) {
    const CoreDim& d = dims[as_index(dim)];
    out += (out.empty() ? "" : ",") + d.name + (d.optional ? "?" : "");
  }
  return "(" + out + ")";
}

int64_t CoreAxes::elements(const CoreSignature& signature, int operand) const {
  int64_t count = 1;
  for (const int dim : signature.cores[as_index(operand)]) count *= sizes[as_index(dim)];
  return count;
}

}  // namespace gpuarr
