// The elementwise functions, which the library lists, as `gpuarr op` has them.
#include <algorithm>
#include <iterator>

#include "cli/base/error.hpp"
#include "cli/kernels/kernel.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

void run_function(OpCall& call) {
  std::span<gpuarr_array*> outputs(call.outputs);
  std::span<const gpuarr_arg> inputs(call.inputs);
  check(gpuarr_apply(outputs.data(), count(outputs), call.op->name, inputs.data(), count(inputs),
                     nullptr, call.stream));
}

std::vector<Op> listed_functions() {
  constexpr const char* forms[] = {"", "X", "X Y", "X Y Z", "X Y Z..."};
  constexpr int32_t most = std::size(forms) - 1;
  std::vector<Op> ops;
  for (int32_t k = 0; k < gpuarr_apply_count(); ++k) {
    const char *name = nullptr, *about = nullptr;
    int32_t inputs = 0, outputs = 0;
    check(gpuarr_apply_describe(&name, &about, &inputs, &outputs, k));
    ops.push_back({name, forms[std::min(inputs, most)], outputs, about, run_function});
  }
  return ops;
}

}  // namespace

std::span<const Op> function_ops() {
  static const std::vector<Op> ops = listed_functions();
  return ops;
}

}  // namespace cli
