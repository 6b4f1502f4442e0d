#include "expr/formula.hpp"

#include <algorithm>
#include <memory_resource>

#include "core/error.hpp"
#include "expr/build.hpp"
#include "expr/evaluate.hpp"
#include "expr/open.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

// A result that is none of a kernel's, or has another dtype than it is wanted in, becomes one.
Expr computed(const Expr& x, DType dtype) {
  if (x->dtype == dtype && !is_leaf(*x) && x->kind != NodeKind::view) return x;
  return copy_node(x, dtype);
}

}  // namespace

Formula::Formula(std::vector<Expr> roots)
    : roots_(std::move(roots)),
      inputs_(count_inputs(roots_)),
      reads_(inputs_read(roots_, inputs_)) {}

std::shared_ptr<const Frame> Formula::frame_for(std::span<const Argument> inputs) const {
  const std::string key = frame_key(inputs, reads_);
  {
    const std::shared_lock lock(mutex_);
    const auto known = frames_.find(key);
    if (known != frames_.end()) return known->second;
  }
  const std::vector<Expr> given = stand_ins(inputs);
  auto made = std::make_shared<const Frame>(closed(roots_, given), given);
  const std::unique_lock lock(mutex_);
  if (frames_.size() >= most_frames) frames_.clear();
  return frames_.emplace(key, std::move(made)).first->second;
}

std::vector<std::optional<Array>> Formula::call(std::span<const Argument> inputs,
                                                std::span<const Array* const> outputs,
                                                Stream* given) const {
  return frame_for(inputs)->run(inputs, outputs, given);
}

PreparedCall Formula::prepare(std::span<const Argument> inputs,
                              std::span<const Array* const> outputs) const {
  const std::vector<Expr> given = stand_ins(inputs);
  std::vector<Expr> roots = closed(roots_, given);
  check_roots(roots);
  for (size_t r = 0; r < roots.size(); ++r) {
    if (!suits(*outputs[r], *roots[r]))
      fail_unsuited(*outputs[r], *roots[r], formatted("outputs[{}]", r));
    roots[r] = computed(roots[r], outputs[r]->dtype);
  }
  const Frame frame(std::move(roots), given);
  Stream& stream = frame.device().own_stream();
  std::pmr::vector<Array> views;
  Evaluation evaluation(frame.numbered, *frame.program, frame.leaves(inputs, views), outputs,
                        stream);
  PreparedCall out(frame.device(), evaluation.prepare(), [&](size_t part, int input) {
    const Input& own = frame.program->steps[part].inputs[as_index(input)];
    return own.kind == Input::scalar ? frame.sources[as_index(own.item)].input : -1;
  });
  stream.synchronize();  // the call may be launched in any stream
  return out;
}

std::string Formula::explain(std::span<const Argument> inputs) const {
  return expr::explain(frame_for(inputs)->roots);
}

}  // namespace gpuarr::expr
