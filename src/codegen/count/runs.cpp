// Runs of equal elements in order: how many there are, and where they begin.
#include "codegen/count/runs.hpp"

#include "codegen/count_text.hpp"
#include "core/text.hpp"

namespace gpuarr {

std::string run_text(const Target& target, DType dtype) {
  const DType dtypes[] = {dtype};
  std::string out = target.prelude(needs_of(dtypes, {}));
  out += formatted("#line 1 \"unique\"\ntypedef {} T;\n", facts_of(dtype).cxx);
  out += formatted("enum {{ tile = {}, threads = {} }};\n", run_tile, run_threads);
  out += formatted("#define RUNS_COMPLEX {}\n", is_complex(dtype) ? 1 : 0);
  out += count_parts::runs;
  return out.append(target.runs);
}

}  // namespace gpuarr
