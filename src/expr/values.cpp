#include "expr/values.hpp"

#include <algorithm>
#include <set>

#include "expr/statements.hpp"

namespace gpuarr::expr {

void Values::read(int k) {
  call(k, formatted("x{}", inputs.size()));
  add_input({Input::array, k, node(k).dtype}, name(k));
}

void Values::read_beside(int k) {
  const std::string array = formatted("x{}", inputs.size());
  add_input({Input::array, k, node(k).dtype}, array, "raw ");
  call(k, formatted("{}[{}]", array, size_of(node(k).shape) == 1 ? "0" : "i"));
}

void Values::add_input(const Input& input, const std::string& name, const char* as) {
  in_params +=
      formatted("{}{}{} {}", inputs.empty() ? "" : ", ", as, gpuarr::name(input.dtype), name);
  inputs.push_back(input);
}

std::string Values::scalar(int k, DType dtype, Input::Kind kind) {
  const auto known = std::ranges::find_if(inputs, [&](const Input& input) {
    return input.kind == kind && input.item == k && input.dtype == dtype;
  });
  std::string name = formatted("s{}", known - inputs.begin());
  if (known == inputs.end()) add_input({kind, k, dtype}, name);
  use(dtype, name);
  return name;
}

void Values::use(DType dtype, const std::string& name) {
  if (std::ranges::find(used_, name, &std::pair<DType, std::string>::second) == used_.end())
    used_.emplace_back(dtype, name);
}

// What an operation takes a scalar as.
DType scalar_dtype(const Node& own, size_t at, DType dtype) {
  if (own.kind == NodeKind::kernel) return own.kernel().dtypes[at];
  const FunctionNode& function = own.function();
  const bool computed = is_promoted(row_of(function.op), at) && function.computed != mixed_integers;
  return computed ? function.computed : dtype;
}

// "f0::value(x0, v1)"
std::string Values::value_of(int k) {
  const Node& own = node(k);
  if (own.kind == NodeKind::indices) {
    use(own.dtype, "i");
    return "i";
  }
  const std::span<const int> operands = numbered_.items[as_index(k)].all();
  std::vector<DType> dtypes;
  std::string list;
  for (size_t at = 0; at < operands.size(); ++at) {
    const int o = operands[at];
    dtypes.push_back(node(o).dtype);
    list += at > 0 ? ", " : "";
    if (node(o).kind == NodeKind::scalar) {
      dtypes.back() = scalar_dtype(own, at, node(o).dtype);
      list += scalar(o, dtypes.back());
    } else {
      use(node(o).dtype, name(o));
      list += name(o);
    }
  }
  const std::string& reciprocal = reciprocals_[as_index(k)];
  if (!reciprocal.empty())
    return formatted("gpuarr_kernel::row_quotient(_How(), {}, {}, _strange)", list, reciprocal);
  return formatted("{}({})", called(own, dtypes), list);
}

std::string Values::called(const Node& own, std::span<const DType> operands) {
  if (own.kind == NodeKind::convert) return functions.of_convert(own.dtype, operands[0]);
  if (own.kind == NodeKind::kernel) return functions.of_kernel(own.kernel());
  return functions.of_function(own.function(), operands);
}

std::string Values::statements(std::span<const int> items) {
  std::string out;
  for (int k : items) {
    const std::string value = named(k);
    out += constant(cxx(node(k).dtype), name(k), value);
  }
  return out;
}

std::string Values::named(int k) {
  std::string value = value_of(k);
  call(k, fresh());
  return value;
}

std::string Values::function(int k, std::span<const int> items) {
  used_.clear();
  const std::string body = statements(items);
  use(node(k).dtype, name(k));
  std::string parameters, arguments;
  std::set<std::string> own;
  for (const int item : items) own.insert(name(item));
  for (const auto& [dtype, used] : used_) {
    if (own.contains(used)) continue;
    parameters += formatted("{}const {} {}", parameters.empty() ? "" : ", ", cxx(dtype), used);
    arguments += (arguments.empty() ? "" : ", ") + used;
  }
  const std::string called = formatted("g{}", functions_made_++);
  made += function_of(cxx(node(k).dtype), called, parameters, body + returning(name(k)));
  return formatted("{}({})", called, arguments);
}

}  // namespace gpuarr::expr
