// Masks, order statistics and products of matrices, as `gpuarr op` has them.
#include "cli/op/calls.hpp"

namespace cli {
namespace {

const char* text(OpCall& call) { return call.words[0].c_str(); }

void run_quantile(OpCall& call) {
  std::vector<double> q;
  for (size_t k = 1; k < call.inputs.size(); ++k) q.push_back(call.real(k));
  check(gpuarr_quantile(&call.outputs[0], call.array(0), q.data(), static_cast<int32_t>(q.size()),
                        call.axis(-1), GPUARR_QUANTILE_LINEAR, call.stream));
}

constexpr Op matrices_table[] = {
    {"select", "X MASK", 1, "the elements where the mask is true",
     calls<gpuarr_select, output<0>, array_at<0>, array_at<1>>},
    {"flatnonzero", "X", 1, "indices of elements that are not 0",
     calls<gpuarr_flatnonzero, output<0>, array_at<0>>},
    {"unique", "X", 4, "unique elements, first indices, inverse, counts",
     calls<gpuarr_unique, output<0>, output<1>, output<2>, output<3>, array_at<0>>},
    {"searchsorted", "SORTED X [RIGHT]", 1, "insertion indices, by binary search",
     calls<gpuarr_searchsorted, output<0>, array_at<0>, array_at<1>, flag_or<2, 0>>},
    {"histogram", "X BINS", 2, "counts of elements in bins, and the bins' edges",
     calls<gpuarr_histogram, output<0>, output<1>, array_at<0>, whole_at<1>, fixed<nullptr>>},
    {"bincount", "X [MINLENGTH]", 1, "counts of each non-negative integer",
     calls<gpuarr_bincount, output<0>, array_at<0>, fixed<nullptr>, whole_or<1, 0>>},
    {"median", "X", 1, "the median along an axis",
     calls<gpuarr_median, output<0>, array_at<0>, axis_or<-1>>},
    {"quantile", "X Q...", 1, "quantiles along an axis", run_quantile},
    {"matmul", "X Y", 1, "the product of matrices, or of stacks of them",
     calls<gpuarr_matmul, output<0>, array_at<0>, array_at<1>, fixed<0>>},
    {"dot", "X Y", 1, "the sum of the products of elements",
     calls<gpuarr_dot, output<0>, array_at<0>, array_at<1>>},
    {"vdot", "X Y", 1, "the sum of the products of elements, those of X conjugated",
     calls<gpuarr_vdot, output<0>, array_at<0>, array_at<1>>},
    {"inner", "X Y", 1, "sums of products along last axes",
     calls<gpuarr_inner, output<0>, array_at<0>, array_at<1>, fixed<0>>},
    {"outer", "X Y", 1, "products of all pairs of elements",
     calls<gpuarr_outer, output<0>, array_at<0>, array_at<1>>},
    {"kron", "X Y", 1, "the Kronecker product",
     calls<gpuarr_kron, output<0>, array_at<0>, array_at<1>>},
    {"einsum", "TEXT X [Y]", 1, "Einstein summation: ij,jk->ik",
     calls<gpuarr_einsum, output<0>, text, array_at<1>, array_or_null<2>, fixed<0>>},
    {"matrix_power", "X N", 1, "a power of a square matrix",
     calls<gpuarr_matrix_power, output<0>, array_at<0>, whole_at<1>, fixed<0>>},
    {"trace", "X [OFFSET]", 1, "the sum of a diagonal",
     calls<gpuarr_trace, output<0>, array_at<0>, whole_or<1, 0>, fixed<-2>, fixed<-1>>},
};

}  // namespace

std::span<const Op> matrix_ops() { return matrices_table; }

}  // namespace cli
