// Operations along an axis and by indices, as `gpuarr op` has them.
#include "cli/base/error.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

template <auto function>
void run_scan(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), call.axis(-1), 0, call.stream));
}

void run_diff(OpCall& call) {
  const auto order = static_cast<int32_t>(call.whole_or(1, 1));
  check(gpuarr_diff(&call.outputs[0], call.array(0), order, call.axis(-1), call.stream));
}

template <auto function>
void run_sort(OpCall& call) {
  const auto descending = static_cast<int32_t>(call.whole_or(1, 0));
  check(function(&call.outputs[0], call.array(0), call.axis(-1), descending, call.stream));
}

void run_topk(OpCall& call) {
  check(gpuarr_topk(&call.outputs[0], &call.outputs[1], call.array(0), call.whole(1), call.axis(-1),
                    static_cast<int32_t>(call.whole_or(2, 1)), call.stream));
}

void run_partition(OpCall& call) {
  check(
      gpuarr_partition(&call.outputs[0], call.array(0), call.whole(1), call.axis(-1), call.stream));
}

template <auto function>
void run_take(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), call.array(1), call.axis(0), call.stream));
}

constexpr Op arrays_table[] = {
    {"cumsum", "X", 1, "cumulative sums", run_scan<gpuarr_cumsum>},
    {"cumprod", "X", 1, "cumulative products", run_scan<gpuarr_cumprod>},
    {"cummin", "X", 1, "cumulative minima", run_scan<gpuarr_cummin>},
    {"cummax", "X", 1, "cumulative maxima", run_scan<gpuarr_cummax>},
    {"diff", "X [ORDER]", 1, "differences between neighbours", run_diff},
    {"sort", "X [DESCENDING]", 1, "elements in order", run_sort<gpuarr_sort>},
    {"argsort", "X [DESCENDING]", 1, "the indices that sort", run_sort<gpuarr_argsort>},
    {"partition", "X KTH", 1, "smaller elements before the KTH, larger ones after it",
     run_partition},
    {"topk", "X K [LARGEST]", 2, "the K largest elements, and their indices", run_topk},
    {"take", "X INDICES", 1, "slices by their indices", run_take<gpuarr_take>},
    {"take_along_axis", "X INDICES", 1, "an element for each index",
     run_take<gpuarr_take_along_axis>},
};

}  // namespace

std::span<const Op> array_ops() { return arrays_table; }

}  // namespace cli
