// Joining and rearranging, as `gpuarr op` has them.
#include "cli/op/calls.hpp"

namespace cli {
namespace {

std::vector<const gpuarr_array*> arrays(const OpCall& call) {
  std::vector<const gpuarr_array*> all;
  for (size_t k = 0; k < call.inputs.size(); ++k) all.push_back(call.array(k));
  return all;
}

template <auto function>
void run_join(OpCall& call) {
  const std::vector<const gpuarr_array*> all = arrays(call);
  check(function(&call.outputs[0], all.data(), static_cast<int32_t>(all.size()), call.axis(0),
                 call.stream));
}

// The whole numbers from an argument on.
std::vector<int64_t> numbers(const OpCall& call, size_t from) {
  std::vector<int64_t> found;
  for (size_t k = from; k < call.inputs.size(); ++k) found.push_back(call.whole(k));
  return found;
}

void run_tile(OpCall& call) {
  const std::vector<int64_t> times = numbers(call, 1);
  check(gpuarr_tile(&call.outputs[0], call.array(0), static_cast<int32_t>(times.size()),
                    times.data(), call.stream));
}

void run_roll(OpCall& call) {
  const int64_t shift = call.whole(1);
  const int32_t axis = call.axis(-1);
  check(gpuarr_roll(&call.outputs[0], call.array(0), 1, &shift, &axis, call.stream));
}

void run_flip(OpCall& call) {
  const int32_t count = call.axes.all ? 0 : call.axes.count();
  const int32_t* axes = call.axes.all ? nullptr : call.axes.data();
  check(gpuarr_flip(&call.outputs[0], call.array(0), count, axes));
}

void run_pad(OpCall& call) {
  const auto ndim = static_cast<size_t>(gpuarr_array_ndim(call.array(0)));
  const std::vector<int64_t> widths(ndim, call.whole(1));
  const gpuarr_arg value = call.inputs.size() > 2 ? call.inputs[2] : gpuarr_arg_i64(0);
  check(gpuarr_pad(&call.outputs[0], call.array(0), widths.data(), widths.data(),
                   GPUARR_PAD_CONSTANT, value, call.stream));
}

constexpr Op moving_table[] = {
    {"concatenate", "X...", 1, "arrays concatenated along an axis", run_join<gpuarr_concatenate>},
    {"stack", "X...", 1, "arrays stacked along a new axis", run_join<gpuarr_stack>},
    {"tile", "X TIMES...", 1, "an array repeated along each axis", run_tile},
    {"repeat", "X TIMES", 1, "each element repeated",
     calls<gpuarr_repeat, output<0>, array_at<0>, whole_at<1>, axis_or<0>>},
    {"roll", "X SHIFT", 1, "elements shifted around", run_roll},
    {"flip", "X", 1, "elements in reverse order", run_flip},
    {"pad", "X WIDTH [VALUE]", 1, "a border of a value", run_pad},
    {"triu", "X [K]", 1, "the upper triangle",
     calls<gpuarr_triu, output<0>, array_at<0>, whole_or<1, 0>>},
    {"tril", "X [K]", 1, "the lower triangle",
     calls<gpuarr_tril, output<0>, array_at<0>, whole_or<1, 0>>},
    {"diag", "X [K]", 1, "a matrix with these elements on a diagonal",
     calls<gpuarr_diag, output<0>, array_at<0>, whole_or<1, 0>>},
};

}  // namespace

std::span<const Op> moving_ops() { return moving_table; }

}  // namespace cli
