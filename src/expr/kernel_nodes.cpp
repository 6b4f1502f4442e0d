#include "expr/kernel_nodes.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "expr/build.hpp"
#include "expr/open.hpp"
#include "expr/view.hpp"
#include "linalg/products/matmul.hpp"

namespace gpuarr::expr {
namespace {

// Operands as a call has them, without memory.
class CallProbe {
 public:
  explicit CallProbe(std::span<const Expr> operands) {
    arrays_.reserve(operands.size());
    for (const Expr& operand : operands) {
      if (operand->kind == NodeKind::scalar) {
        all.push_back({nullptr, &operand->scalar()});
        continue;
      }
      if (device == nullptr) device = operand->device;
      Array& array = arrays_.emplace_back();
      array.buffer = Buffer::borrow(nullptr, 0, *operand->device);
      array.dtype = operand->dtype;
      array.layout = {operand->shape, dense_strides(operand->shape, Order::c)};
      all.push_back({&array, nullptr});
    }
  }

  std::vector<Argument> all;
  Device* device = nullptr;

 private:
  std::vector<Array> arrays_;
};

// Fails as a call does, with the place.
template <class Make>
auto in_place(const std::string& name, std::span<const Expr> operands, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    std::string list;
    for (const Expr& operand : operands) list += (list.empty() ? "" : ", ") + describe(*operand);
    throw Error(error.status(), formatted("{}; in {}({})", error.message(), name, list));
  }
}

void check_operands(size_t expected, std::span<const Expr> operands, const std::string& name) {
  if (operands.size() != expected)
    fail(GPUARR_ERR_ARGUMENT, "there are {} operands, but {} takes {}", operands.size(), name,
         expected);
}

void check_device(const CallProbe& arguments, const std::string& name) {
  if (arguments.device == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "no operand of {} is an array or an expression of one; give one",
         name);
}

template <class Make>
std::vector<Expr> open_nodes(const Generated& kernel, std::span<const Expr> operands,
                             const Make& make) {
  std::vector<Expr> out;
  for (size_t k = 0; k < kernel.signature.outputs.size(); ++k)
    out.push_back(open_node(operands, {kernel.name.c_str(), [=](std::span<const Expr> known) {
                                         return make(known)[k];
                                       }}));
  return out;
}

bool has_forbidden_word(const UserText& text, std::span<const std::string_view> builtins) {
  constexpr std::string_view whole[] = {"static",   "asm",       "printf",  "assert",
                                        "blockIdx", "threadIdx", "gridDim", "blockDim"};
  return std::ranges::any_of(text.words(), [&](const UserText::Word& word) {
    const std::string_view w = word.text;
    return w.starts_with("atomic") || w.starts_with("__sync") || w.starts_with("__shared") ||
           (w.size() > 1 && w[0] == '_' && w[1] != '_') ||
           std::ranges::find(whole, w) != std::end(whole) ||
           std::ranges::find(builtins, w) != builtins.end();
  });
}

bool has_directive(const UserText& text) { return text.text().find('#') != std::string_view::npos; }

bool is_plain(const Generated& kernel) {
  const Signature& signature = kernel.signature;
  return std::ranges::none_of(signature.inputs, &Parameter::raw) &&
         std::ranges::none_of(signature.outputs, &Parameter::raw) &&
         std::ranges::all_of(signature.starts_as, [](int input) { return input < 0; }) &&
         kernel.defines.empty() && kernel.options.empty() && kernel.contract && !kernel.time_limit;
}

// What a text sees beside its parameters, less what these hide.
std::vector<std::string_view> builtins_of(const Generated& kernel) {
  std::vector<std::string_view> out = {"i", "n"};
  for (const OperandName& operand : kernel.names) std::erase(out, operand.name);
  return out;
}

}  // namespace

bool may_be_inlined(const Elementwise& kernel) {
  const ElementwiseText& text = kernel.text();
  const auto builtins = builtins_of(kernel.generated());
  return is_plain(kernel.generated()) && text.loop_prep.empty() && text.after_loop.empty() &&
         !has_directive(text.body) && !has_directive(text.preamble) &&
         !has_forbidden_word(text.body, builtins) && !has_forbidden_word(text.preamble, {});
}

bool may_be_inlined(const Reduction& kernel, const ReductionText& text) {
  const auto builtins = builtins_of(kernel.generated());
  if (!is_plain(kernel.generated()) || kernel.is_ordered() || kernel.output_count() != 1)
    return false;
  for (const UserText* piece : text.all())
    if (has_directive(*piece) ||
        has_forbidden_word(*piece, piece == &text.map || piece == &text.reduce
                                       ? std::span<const std::string_view>(builtins)
                                       : std::span<const std::string_view>()))
      return false;
  return !text.post.has("i");
}

std::vector<Expr> kernel_nodes(const std::shared_ptr<Elementwise>& kernel,
                               std::span<const Expr> operands) {
  const std::string& name = kernel->generated().name;
  check_operands(kernel->input_count(), operands, name);
  if (kernel->output_count() == 0)
    fail(GPUARR_ERR_ARGUMENT, "{} has no outputs, so that no expression can be made of it", name);
  if (is_any_open(operands))
    return open_nodes(kernel->generated(), operands, [kernel](std::span<const Expr> known) {
      return kernel_nodes(kernel, known);
    });
  const CallProbe arguments(operands);
  check_device(arguments, name);
  const CallFacts facts = in_place(name, operands, [&] { return kernel->facts_of(arguments.all); });
  const bool is_inlined = may_be_inlined(*kernel);
  std::vector<Expr> out(kernel->output_count());
  for (size_t k = 0; k < out.size(); ++k) {
    Node& node =
        make_node(out[k], NodeKind::kernel, facts.dtypes[operands.size() + k], operands.size());
    std::ranges::copy(operands, node.operands().begin());
    node.device = arguments.device;
    node.shape = facts.shape;
    node.part = KernelNode{kernel, static_cast<int64_t>(k), is_inlined, facts.dtypes};
  }
  return out;
}

std::vector<Expr> user_reduction_nodes(const std::shared_ptr<Reduction>& kernel,
                                       std::span<const Expr> operands, const AxisRequest& request) {
  const std::string& name = kernel->generated().name;
  check_operands(kernel->input_count(), operands, name);
  if (is_any_open(operands)) {
    const std::vector<int32_t> axes(request.axes.begin(), request.axes.end());
    return open_nodes(
        kernel->generated(), operands,
        [=, all = request.all, keepdims = request.keepdims](std::span<const Expr> known) {
          return user_reduction_nodes(kernel, known, {axes, all, keepdims});
        });
  }
  const CallProbe arguments(operands);
  check_device(arguments, name);
  auto [facts, text] =
      in_place(name, operands, [&] { return kernel->facts_of(arguments.all, request); });
  Dims space;
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k]->kind != NodeKind::scalar && !kernel->generated().signature.inputs[k].raw)
      broadcast_into(space, operands[k]->shape);
  const uint32_t axes = axis_bits(request, space.size());
  const bool is_inlined = may_be_inlined(*kernel, text);
  std::vector<Expr> out(kernel->output_count());
  for (size_t k = 0; k < out.size(); ++k) {
    Node& node =
        make_node(out[k], NodeKind::reduction, facts.dtypes[operands.size() + k], operands.size());
    std::ranges::copy(operands, node.operands().begin());
    node.device = arguments.device;
    node.shape = facts.shape;
    ReductionNode part{Reducer::sum, request.keepdims, axes};
    part.user = std::make_shared<const UserReduction>(
        UserReduction{kernel, static_cast<int64_t>(k), is_inlined, facts.dtypes, text, space});
    node.part = std::move(part);
  }
  return out;
}

Expr scan_node(Scanner scanner, const Expr& x, int64_t axis, bool exclusive) {
  const char* const name = name_of(scanner);
  if (x->kind == NodeKind::scalar)
    fail(GPUARR_ERR_ARGUMENT, "x is a scalar; give an array or an expression of one; in {}({})",
         name, describe(*x));
  if (x->is_open())
    return open_node({&x, 1}, {name, [=](std::span<const Expr> known) {
                                 return scan_node(scanner, known[0], axis, exclusive);
                               }});
  return in_place(name, {&x, 1}, [&] {
    const int along = checked_axis(axis, x->shape.size());
    scanner_text(scanner, x->dtype);  // fails if it does not take the dtype
    Expr out;
    Node& node = make_node(out, NodeKind::scan, result_dtype(scanner, x->dtype), 1);
    node.operands()[0] = x;
    node.shape = x->shape;
    node.device = x->device;
    node.part = ScanNode{scanner, along, exclusive};
    return out;
  });
}

Expr matmul_node(const Expr& x, const Expr& y) {
  const Expr operands[] = {x, y};
  return in_place("matmul", operands, [&] {
    for (const Expr& operand : operands)
      if (operand->kind == NodeKind::scalar)
        fail(GPUARR_ERR_ARGUMENT, "{} is a scalar; give an array or an expression of one",
             &operand == operands ? "x" : "y");
    if (is_any_open(operands))
      return open_node(operands, {"matmul", [](std::span<const Expr> known) {
                                    return matmul_node(known[0], known[1]);
                                  }});
    const CallProbe arguments(operands);
    const ProductFacts facts = product_of(*arguments.all[0].array, *arguments.all[1].array);
    Expr out;
    Node& node = make_node(out, NodeKind::matmul, facts.dtype, 2);
    std::ranges::copy(operands, node.operands().begin());
    node.shape = facts.shape;
    node.device = arguments.device;
    return out;
  });
}

Expr indices_node(const Expr& x, int64_t axis) {
  return in_place("indices", {&x, 1}, [&] {
    if (x->kind == NodeKind::scalar)
      fail(GPUARR_ERR_ARGUMENT, "x is a scalar; give an array or an expression of one");
    if (x->is_open())
      return open_node({&x, 1}, {"indices", [axis](std::span<const Expr> known) {
                                   return indices_node(known[0], axis);
                                 }});
    const int along = checked_axis(axis, x->shape.size());
    Expr line;
    Node& node = make_node(line, NodeKind::indices, DType::i64);
    for (int k = 0; k < x->shape.size(); ++k) node.shape.push_back(k == along ? x->shape[k] : 1);
    node.device = x->device;
    return node.shape == x->shape ? line : broadcast_node(line, x->shape);
  });
}

}  // namespace gpuarr::expr
