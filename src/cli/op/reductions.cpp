// The ready-made reductions, as `gpuarr op` has them.
#include "cli/base/error.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

using Function = gpuarr_status (*)(gpuarr_array**, const gpuarr_array*, const int32_t*, int32_t,
                                   int32_t, gpuarr_stream*);
using WithNumber = gpuarr_status (*)(gpuarr_array**, const gpuarr_array*, double, const int32_t*,
                                     int32_t, int32_t, gpuarr_stream*);

template <Function function>
void run_reduction(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), call.axes.data(), call.axes.count(), call.keep(),
                 call.stream));
}

template <WithNumber function, int otherwise>
void run_with_number(OpCall& call) {
  const double number = call.inputs.size() > 1 ? call.real(1) : otherwise;
  check(function(&call.outputs[0], call.array(0), number, call.axes.data(), call.axes.count(),
                 call.keep(), call.stream));
}

constexpr Op reductions_table[] = {
    {"sum", "X", 1, "sum of elements", run_reduction<gpuarr_sum>},
    {"prod", "X", 1, "product of elements", run_reduction<gpuarr_prod>},
    {"min", "X", 1, "the minimum", run_reduction<gpuarr_min>},
    {"max", "X", 1, "the maximum", run_reduction<gpuarr_max>},
    {"argmin", "X", 1, "index of the minimum", run_reduction<gpuarr_argmin>},
    {"argmax", "X", 1, "index of the maximum", run_reduction<gpuarr_argmax>},
    {"any", "X", 1, "whether any element is not 0", run_reduction<gpuarr_any>},
    {"all", "X", 1, "whether all elements are not 0", run_reduction<gpuarr_all>},
    {"count_nonzero", "X", 1, "how many elements are not 0", run_reduction<gpuarr_count_nonzero>},
    {"mean", "X", 1, "the average", run_reduction<gpuarr_mean>},
    {"var", "X [DDOF]", 1, "the variance", run_with_number<gpuarr_var, 0>},
    {"std", "X [DDOF]", 1, "the standard deviation", run_with_number<gpuarr_std, 0>},
    {"norm", "X [ORD]", 1, "the norm of vectors", run_with_number<gpuarr_norm, 2>},
    {"nansum", "X", 1, "sum of elements, NaN as 0", run_reduction<gpuarr_nansum>},
    {"nanmin", "X", 1, "the minimum, ignoring NaN", run_reduction<gpuarr_nanmin>},
    {"nanmax", "X", 1, "the maximum, ignoring NaN", run_reduction<gpuarr_nanmax>},
    {"logsumexp", "X", 1, "log(sum(exp(x))) without overflow", run_reduction<gpuarr_logsumexp>},
};

}  // namespace

std::span<const Op> reduction_ops() { return reductions_table; }

}  // namespace cli
