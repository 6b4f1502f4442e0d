#include "expr/program.hpp"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/once.hpp"
#include "linalg/products/matmul.hpp"

namespace gpuarr::expr {
namespace {

// Kernels by their texts. Never destroyed: expressions may be evaluated while the process ends.
template <class Kernel>
struct Kernels {
  std::mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<Kernel>> all;

  template <class Make>
  Kernel* get(const std::string& text, const Make& make) {
    const std::lock_guard lock(mutex);
    auto& slot = all[text];
    if (slot == nullptr) slot = make();
    return slot.get();
  }
};

Elementwise* loop_of(const GroupText& text, const LoopText& loop) {
  static Undying<Kernels<Elementwise>> kernels;
  return (*kernels).get(text.key(), [&] {
    return std::make_unique<Elementwise>(text.in_params, text.outputs(0, text.out_params.size()),
                                         loop.body, text.options);
  });
}

Reduction* reduction_of(const GroupText& text, const FoldsText& folds) {
  static Undying<Kernels<Reduction>> kernels;
  return (*kernels).get(text.key(), [&] {
    MapReduceSpec spec{text.in_params, text.outputs(0, text.out_params.size()),
                       folds.map,      folds.reduce,
                       folds.post,     {}};
    if (folds.identity) spec.identity = *folds.identity;
    spec.folds = folds.folds;
    return std::make_unique<Reduction>(spec, text.options);
  });
}

Scan* scan_of(const GroupText& text, const FoldsText& folds) {
  static Undying<Kernels<Scan>> kernels;
  return (*kernels).get(text.key(), [&] {
    MapReduceSpec spec{text.in_params, text.outputs(0, text.out_params.size()),
                       folds.map,      folds.reduce,
                       folds.post,     folds.identity};
    return std::make_unique<Scan>(spec, text.options);
  });
}

Row* row_of(const GroupText& text, const RowsText& rows) {
  static Undying<Kernels<Row>> kernels;
  return (*kernels).get(text.key(), [&] {
    const size_t count = text.out_params.size();
    const RowSpec spec{text.in_params,
                       text.outputs(0, rows.along),
                       text.outputs(rows.along, count),
                       rows.kept,
                       rows.passes,
                       rows.body,
                       rows.finish};
    return std::make_unique<Row>(spec, text.options);
  });
}

bool is_product_of_arrays(const Numbered& numbered, int k) {
  return numbered.node(k).kind == NodeKind::matmul &&
         std::ranges::all_of(numbered.items[as_index(k)].all(),
                             [&](int o) { return numbered.node(o).kind == NodeKind::array; });
}

// As the first array of the loop's shape lies, else as a product of arrays is made, or in C order.
Dims strides_of_rows(const Numbered& numbered, const Step& step, const Dims& space) {
  for (const Input& input : step.inputs) {
    if (input.kind != Input::array) continue;
    const Node& node = numbered.node(input.item);
    if (node.kind == NodeKind::array && node.shape == space)
      return strides_like(node.array().layout);
  }
  for (const Input& input : step.inputs) {
    if (!(numbered.node(input.item).shape == space) || !is_product_of_arrays(numbered, input.item))
      continue;
    const std::span<const int> operands = numbered.items[as_index(input.item)].all();
    return dense_strides(space, product_order(numbered.node(operands[0]).array(),
                                              numbered.node(operands[1]).array()));
  }
  return dense_strides(space, Order::c);
}

// Whether what a loop reads has another shape than the loop: then its outputs have to be there.
bool makes_shape(const Numbered& numbered, const Step& step, const Dims& space) {
  Dims read;
  for (const Input& input : step.inputs)
    if (input.kind == Input::array) broadcast_into(read, numbered.node(input.item).shape);
  return !(read == space);
}

size_t outputs_of(const Node& node) {
  if (node.kind == NodeKind::matmul) return 1;
  return node.kind == NodeKind::kernel ? node.kernel().kernel->output_count()
                                       : node.reduction().user->kernel->output_count();
}

// Which of its kernel's outputs it is.
int output_of(const Node& node) {
  if (node.kind == NodeKind::matmul) return 0;
  return node.kind == NodeKind::kernel ? node.kernel().output : node.reduction().user->output;
}

// A user's kernel gets what it was given, and has all its outputs.
void take_users(Step& step, const Numbered& numbered, const Group& group) {
  step.users = group.outputs[0];
  for (int o : numbered.items[as_index(step.users)].all()) {
    const Node& node = numbered.node(o);
    step.inputs.push_back(
        {node.kind == NodeKind::scalar ? Input::scalar : Input::array, o, node.dtype});
  }
  step.outputs.assign(outputs_of(numbered.node(step.users)), -1);
  for (int k : group.outputs) step.outputs[as_index(output_of(numbered.node(k)))] = k;
}

// A stored node is let go behind the last step that reads it, unless it is a result.
void note_last_uses(const Numbered& numbered, Program& program) {
  std::vector<char> seen(numbered.items.size());
  for (int root : numbered.roots) seen[as_index(numbered.behind(root))] = 1;
  for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step)
    for (const Input& input : step->inputs)
      if (input.kind == Input::array && !is_leaf(numbered.node(input.item)) &&
          !std::exchange(seen[as_index(numbered.behind(input.item))], 1))
        step->last.push_back(numbered.behind(input.item));
}

void log_plan(std::string_view lines, const Device& device) {
  log(Topic::fuse, "a new expression on {}:", device.facts().name);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    log(Topic::fuse, "{}", line);
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
  }
}

std::shared_ptr<const Program> make_program(const Numbered& numbered, const Device& device) {
  const Plan plan = make_plan(numbered, limits_of(device));
  if (log_enabled(Topic::fuse)) log_plan(explain(numbered, plan), device);
  auto program = std::make_shared<Program>();
  for (const Group& group : plan.groups) program->steps.push_back(step_of(numbered, plan, group));
  note_last_uses(numbered, *program);
  return program;
}

MadeOutputs run_product(const Step::Operands& o, Stream& stream) {
  auto made = matmul(o.outputs[0], *o.inputs[0].array, *o.inputs[1].array, 0, &stream);
  if (!made) return {};
  return {{0, std::move(*made)}};
}

struct KeyHash {
  size_t operator()(const std::string& key) const { return XXH3_64bits(key.data(), key.size()); }
};

// Those that were asked for lately are young. When there are many, they are old from then on, and
// what was old already is forgotten; its kernels stay.
class Programs {
 public:
  std::shared_ptr<const Program> find(const std::string& key) {
    {
      const std::shared_lock lock(mutex_);
      const auto known = young_.find(key);
      if (known != young_.end()) return known->second;
      if (!old_.contains(key)) return nullptr;
    }
    const std::unique_lock lock(mutex_);
    const auto known = old_.find(key);
    return known != old_.end() ? keep(key, known->second) : nullptr;
  }

  std::shared_ptr<const Program> add(const std::string& key, std::shared_ptr<const Program> made) {
    const std::unique_lock lock(mutex_);
    return keep(key, std::move(made));
  }

 private:
  static constexpr size_t most = 2048;
  using ByKey = std::unordered_map<std::string, std::shared_ptr<const Program>, KeyHash>;

  std::shared_ptr<const Program> keep(const std::string& key,
                                      std::shared_ptr<const Program> program) {
    if (young_.size() >= most) old_ = std::exchange(young_, {});
    return young_.emplace(key, std::move(program)).first->second;
  }

  std::shared_mutex mutex_;
  ByKey young_, old_;
};

}  // namespace

MadeOutputs Step::run(const Numbered& numbered, const Operands& o, Stream& stream,
                      std::optional<Repeat>* repeat) const {
  if (loop != nullptr) return loop->call(o.inputs, o.outputs, no_size, &stream, repeat);
  if (scan != nullptr) return scan->call(o.inputs, o.outputs, scans, &stream);
  const AxisRequest request{axes, false, true};
  if (row != nullptr) return row->call(o.inputs, o.outputs, request, &stream, repeat);
  if (reduction != nullptr) return reduction->call(o.inputs, o.outputs, request, &stream, repeat);
  const Node& own = numbered.node(users);
  if (own.kind == NodeKind::matmul) return run_product(o, stream);
  if (own.kind == NodeKind::kernel)
    return own.kernel().kernel->call(o.inputs, o.outputs, no_size, &stream);
  return own.reduction().user->kernel->call(o.inputs, o.outputs, request, &stream);
}

PreparedCall Step::prepare(const Numbered& numbered, const Operands& o, Device& device) const {
  if (loop != nullptr) return loop->prepare(o.inputs, o.outputs, no_size, device);
  if (scan != nullptr)
    fail(GPUARR_ERR_UNSUPPORTED, "a scan cannot be prepared; call the function, or capture that");
  const AxisRequest request{axes, false, true};
  if (row != nullptr) return row->prepare(o.inputs, o.outputs, request);
  if (reduction != nullptr) return reduction->prepare(o.inputs, o.outputs, request);
  const Node& own = numbered.node(users);
  if (own.kind == NodeKind::matmul)
    fail(GPUARR_ERR_UNSUPPORTED,
         "a product of matrices cannot be prepared; call the function, or capture that");
  if (own.kind == NodeKind::kernel)
    return own.kernel().kernel->prepare(o.inputs, o.outputs, no_size, device);
  return own.reduction().user->kernel->prepare(o.inputs, o.outputs, request);
}

Step step_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  GroupText text = text_of(numbered, plan, group);
  Step step;
  if (group.kind == GroupKind::kernel) {
    take_users(step, numbered, group);
  } else {
    if (const auto* loop = std::get_if<LoopText>(&text.parts))
      step.loop = loop_of(text, *loop);
    else if (const auto* rows = std::get_if<RowsText>(&text.parts))
      step.row = row_of(text, *rows);
    else if (const auto& folds = std::get<FoldsText>(text.parts); group.kind == GroupKind::scan)
      step.scan = scan_of(text, folds);
    else
      step.reduction = reduction_of(text, folds);
    step.inputs = std::move(text.inputs);
    step.outputs = group.outputs;
  }
  if (group.kind == GroupKind::scan) {
    const ScanNode& scan = numbered.node(group.outputs[0]).scan();
    step.scans = {scan.axis, scan.exclusive};
    return step;
  }
  step.ndim = group.space.size();
  step.makes_shape = step.loop != nullptr && makes_shape(numbered, step, group.space);
  if (step.row != nullptr) step.rows = {group.space, strides_of_rows(numbered, step, group.space)};
  for (int axis = 0; axis < step.ndim; ++axis)
    if (group.axes >> axis & 1) step.axes.push_back(axis);
  return step;
}

std::shared_ptr<const Program> program_for(const Numbered& numbered, const Device& device) {
  static Undying<Programs> programs;
  const std::string key = plan_key(numbered, device);
  auto known = (*programs).find(key);
  return known != nullptr ? known : (*programs).add(key, make_program(numbered, device));
}

}  // namespace gpuarr::expr
