// Elements counted in bins.
#include "codegen/count/bins.hpp"

#include "codegen/count_text.hpp"
#include "core/text.hpp"

namespace gpuarr {

std::string bin_text(const Target& target, const BinVariant& variant) {
  const auto [dtype, bins, weighted] = variant;
  const DType dtypes[] = {dtype};
  std::string out = target.prelude(needs_of(dtypes, {}));
  out += formatted("#line 1 \"bins\"\ntypedef {} T;\nenum {{ threads = {} }};\n",
                   facts_of(dtype).cxx, bin_threads);
  for (auto [name, value] : {std::pair{"EVEN", bins == Bins::even},
                             {"EDGES", bins == Bins::edges},
                             {"WEIGHTED", weighted}})
    out += formatted("#define BINS_{} {:d}\n", name, value);
  out += count_parts::bins;
  return out.append(target.bins);
}

}  // namespace gpuarr
