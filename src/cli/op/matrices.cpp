// Masks, order statistics and products of matrices, as `gpuarr op` has them.
#include "cli/base/error.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

template <auto function>
void run_two(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), call.array(1), call.stream));
}

template <auto function>
void run_two_with_flags(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), call.array(1), 0, call.stream));
}

void run_flatnonzero(OpCall& call) {
  check(gpuarr_flatnonzero(&call.outputs[0], call.array(0), call.stream));
}

void run_unique(OpCall& call) {
  check(gpuarr_unique(&call.outputs[0], &call.outputs[1], &call.outputs[2], &call.outputs[3],
                      call.array(0), call.stream));
}

void run_searchsorted(OpCall& call) {
  const auto right = static_cast<int32_t>(call.whole_or(2, 0));
  check(gpuarr_searchsorted(&call.outputs[0], call.array(0), call.array(1), right, call.stream));
}

void run_histogram(OpCall& call) {
  check(gpuarr_histogram(&call.outputs[0], &call.outputs[1], call.array(0), call.whole(1), nullptr,
                         call.stream));
}

void run_bincount(OpCall& call) {
  check(
      gpuarr_bincount(&call.outputs[0], call.array(0), nullptr, call.whole_or(1, 0), call.stream));
}

void run_median(OpCall& call) {
  check(gpuarr_median(&call.outputs[0], call.array(0), call.axis(-1), call.stream));
}

void run_quantile(OpCall& call) {
  std::vector<double> q;
  for (size_t k = 1; k < call.inputs.size(); ++k) q.push_back(call.real(k));
  check(gpuarr_quantile(&call.outputs[0], call.array(0), q.data(), static_cast<int32_t>(q.size()),
                        call.axis(-1), GPUARR_QUANTILE_LINEAR, call.stream));
}

void run_einsum(OpCall& call) {
  const gpuarr_array* second = call.inputs.size() > 2 ? call.array(2) : nullptr;
  check(gpuarr_einsum(&call.outputs[0], call.words[0].c_str(), call.array(1), second, 0,
                      call.stream));
}

void run_matrix_power(OpCall& call) {
  check(gpuarr_matrix_power(&call.outputs[0], call.array(0), call.whole(1), 0, call.stream));
}

void run_trace(OpCall& call) {
  check(gpuarr_trace(&call.outputs[0], call.array(0), call.whole_or(1, 0), -2, -1, call.stream));
}

constexpr Op matrices_table[] = {
    {"select", "X MASK", 1, "the elements where the mask is true", run_two<gpuarr_select>},
    {"flatnonzero", "X", 1, "indices of elements that are not 0", run_flatnonzero},
    {"unique", "X", 4, "unique elements, first indices, inverse, counts", run_unique},
    {"searchsorted", "SORTED X [RIGHT]", 1, "insertion indices, by binary search",
     run_searchsorted},
    {"histogram", "X BINS", 2, "counts of elements in bins, and the bins' edges", run_histogram},
    {"bincount", "X [MINLENGTH]", 1, "counts of each non-negative integer", run_bincount},
    {"median", "X", 1, "the median along an axis", run_median},
    {"quantile", "X Q...", 1, "quantiles along an axis", run_quantile},
    {"matmul", "X Y", 1, "the product of matrices, or of stacks of them",
     run_two_with_flags<gpuarr_matmul>},
    {"dot", "X Y", 1, "the sum of the products of elements", run_two<gpuarr_dot>},
    {"vdot", "X Y", 1, "the sum of the products of elements, those of X conjugated",
     run_two<gpuarr_vdot>},
    {"inner", "X Y", 1, "sums of products along last axes", run_two_with_flags<gpuarr_inner>},
    {"outer", "X Y", 1, "products of all pairs of elements", run_two<gpuarr_outer>},
    {"kron", "X Y", 1, "the Kronecker product", run_two<gpuarr_kron>},
    {"einsum", "TEXT X [Y]", 1, "Einstein summation: ij,jk->ik", run_einsum},
    {"matrix_power", "X N", 1, "a power of a square matrix", run_matrix_power},
    {"trace", "X [OFFSET]", 1, "the sum of a diagonal", run_trace},
};

}  // namespace

std::span<const Op> matrix_ops() { return matrices_table; }

}  // namespace cli
