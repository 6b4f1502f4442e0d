#include "team/map/map.hpp"

#include <exception>

#include "core/error.hpp"

namespace gpuarr::team {

void fail_in_block(const BlockCall& call) {
  try {
    throw;
  } catch (const Error& error) {
    throw Error(error.status(),
                formatted("block {} on place {}: {}", to_string(call.location), call.block->place,
                          error.message()),
                error.native());
  }
}

// Of the alignment's arrays the first are the outputs.
void map_elementwise(Elementwise& kernel, Alignment& alignment, size_t outputs,
                     std::span<const MapInput> inputs) {
  std::vector<Array> arrays(inputs.size());
  std::vector<Argument> arguments(inputs.size());
  std::vector<const Array*> results(outputs);
  each_block(alignment.over(), [&](const BlockCall& call) {
    for (size_t k = 0; k < outputs; ++k) results[k] = &alignment.array(k, *call.block, false);
    for (size_t k = 0; k < inputs.size(); ++k) {
      arguments[k] = inputs[k].other;
      if (inputs[k].aligned < 0) continue;
      const auto at = static_cast<size_t>(inputs[k].aligned);
      arrays[k] = inputs[k].with_halo ? alignment.array(at, *call.block, true)
                                      : alignment.cut(at, *call.block);
      arguments[k] = {&arrays[k], nullptr};
    }
    kernel.call(arguments, results, no_size, call.stream);
  });
}

}  // namespace gpuarr::team
