// Operations along an axis and by indices, as `gpuarr op` has them.
#include "cli/op/calls.hpp"

namespace cli {
namespace {

constexpr Op arrays_table[] = {
    {"cumsum", "X", 1, "cumulative sums",
     calls<gpuarr_cumsum, output<0>, array_at<0>, axis_or<-1>, fixed<0>>},
    {"cumprod", "X", 1, "cumulative products",
     calls<gpuarr_cumprod, output<0>, array_at<0>, axis_or<-1>, fixed<0>>},
    {"cummin", "X", 1, "cumulative minima",
     calls<gpuarr_cummin, output<0>, array_at<0>, axis_or<-1>, fixed<0>>},
    {"cummax", "X", 1, "cumulative maxima",
     calls<gpuarr_cummax, output<0>, array_at<0>, axis_or<-1>, fixed<0>>},
    {"diff", "X [ORDER]", 1, "differences between neighbours",
     calls<gpuarr_diff, output<0>, array_at<0>, flag_or<1, 1>, axis_or<-1>>},
    {"sort", "X [DESCENDING]", 1, "elements in order",
     calls<gpuarr_sort, output<0>, array_at<0>, axis_or<-1>, flag_or<1, 0>>},
    {"argsort", "X [DESCENDING]", 1, "the indices that sort",
     calls<gpuarr_argsort, output<0>, array_at<0>, axis_or<-1>, flag_or<1, 0>>},
    {"partition", "X KTH", 1, "smaller elements before the KTH, larger ones after it",
     calls<gpuarr_partition, output<0>, array_at<0>, whole_at<1>, axis_or<-1>>},
    {"topk", "X K [LARGEST]", 2, "the K largest elements, and their indices",
     calls<gpuarr_topk, output<0>, output<1>, array_at<0>, whole_at<1>, axis_or<-1>,
           flag_or<2, 1>>},
    {"take", "X INDICES", 1, "slices by their indices",
     calls<gpuarr_take, output<0>, array_at<0>, array_at<1>, axis_or<0>>},
    {"take_along_axis", "X INDICES", 1, "an element for each index",
     calls<gpuarr_take_along_axis, output<0>, array_at<0>, array_at<1>, axis_or<0>>},
};

}  // namespace

std::span<const Op> array_ops() { return arrays_table; }

}  // namespace cli
