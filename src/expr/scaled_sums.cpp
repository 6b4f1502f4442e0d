// Sums of exp(x - max(x)), which softmax and logsumexp are made of: the accumulator that logsumexp
// has gives them in the pass that finds the greatest element (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", arXiv:1805.02867).
#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

bool is_function(const Node& node, Op op, DType dtype) {
  return node.kind == NodeKind::function && node.function().op == op && node.dtype == dtype;
}

// Whether what is left of the axes broadcasts back to where it came from.
bool broadcasts_back(const ReductionNode& reduction) {
  const bool are_first = (reduction.axes & (reduction.axes + 1)) == 0;
  return reduction.keepdims || are_first;
}

}  // namespace

int scale_of_sum(const Numbered& numbered, int sum) {
  const auto operand = [&](int k, size_t at) { return numbered.items[as_index(k)].all()[at]; };
  const Node& node = numbered.node(sum);
  if (node.kind != NodeKind::reduction || node.reduction().user != nullptr ||
      node.reduction().reducer != Reducer::sum || !is_inexact(node.dtype) || is_complex(node.dtype))
    return -1;
  const int exponential = operand(sum, 0);
  if (!is_function(numbered.node(exponential), Op::exp, node.dtype)) return -1;
  const int difference = operand(exponential, 0);
  if (!is_function(numbered.node(difference), Op::subtract, node.dtype)) return -1;
  const int x = operand(difference, 0);
  const int greatest = operand(difference, 1);
  const Node& scale = numbered.node(greatest);
  if (scale.kind != NodeKind::reduction || scale.reduction().reducer != Reducer::max ||
      scale.reduction().user != nullptr || operand(greatest, 0) != x || scale.dtype != node.dtype)
    return -1;
  return scale.reduction().axes == node.reduction().axes &&
                 numbered.node(x).shape == numbered.node(exponential).shape &&
                 broadcasts_back(scale.reduction())
             ? greatest
             : -1;
}

}  // namespace gpuarr::expr
