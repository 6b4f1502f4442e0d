// The ready-made reductions, as `gpuarr op` has them.
#include "cli/op/calls.hpp"

namespace cli {
namespace {

const int32_t* axes(OpCall& call) { return call.axes.data(); }
int32_t axis_count(OpCall& call) { return call.axes.count(); }
int32_t keep(OpCall& call) { return call.keepdims ? 1 : 0; }

template <int otherwise>
double number_or(OpCall& call) {
  return call.inputs.size() > 1 ? call.real(1) : otherwise;
}

template <auto function>
constexpr auto run_reduction = calls<function, output<0>, array_at<0>, axes, axis_count, keep>;
template <auto function, int otherwise>
constexpr auto run_with_number =
    calls<function, output<0>, array_at<0>, number_or<otherwise>, axes, axis_count, keep>;

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
