#include "codegen/layout/writer.hpp"

#include <algorithm>

namespace gpuarr {

KernelWriter::KernelWriter(const OperandVariants& operands_, std::span<const OperandName> names_)
    : operands(operands_), names(names_) {
  for (int k = 0; k < operands.size(); ++k) {
    if (is(k, Role::input)) inputs.push_back(k);
    if (is(k, Role::output)) outputs.push_back(k);
    if (in_loop(operand(k).role)) arrays.push_back(k);
  }
}

std::string KernelWriter::take() {
  for (size_t at = text.find(in_kernel); at != std::string::npos; at = text.find(in_kernel, at)) {
    const size_t end = text.find('\n', ++at);
    if (end - at > 100) text.insert(text.find('(', at) + 1, "\n    ");
  }
  return std::move(text);
}

void KernelWriter::function(std::string_view head, std::string_view body) {
  add("{} {{\n{}}}\n", head, body);
}

void KernelWriter::structure(std::string_view name, std::string_view members) {
  add("\nstruct {} {{\n{}}};\n", name, members);
}

std::string KernelWriter::element_type(int k) const {
  return formatted("{}{}", is(k, Role::input) ? "const " : "", type(k));
}

void PlaceText::declare(KernelWriter& out) const {
  std::string members;
  for (int k : arrays)
    members +=
        formatted("  {}* _data{};  // {}\n", out.element_type(k), k, out.names[as_index(k)].name);
  for (char letter : letters) members += variable("long long", formatted("_{}", letter));
  out.structure(type, members);
}

void PlaceText::declare_step(KernelWriter& out, const char* index, const char* offset,
                             const std::function<bool(int)>& stays) const {
  std::string body;
  const std::string by = index == offset ? "_by" : formatted("({})_by", offset);
  const bool is_short = std::string_view(offset) == "int";
  for (int k : arrays)
    if (!stays || !stays(k))
      body += formatted("  _at._data{0} += {1} * {2}_p._stride{0}[_axis];\n", k, by,
                        is_short ? "(int)" : "");
  for (char letter : letters)
    body += formatted("  _at._{0} += {1} * _p._{0}_stride[_axis];\n", letter,
                      is_short ? "(long long)_by" : by);
  out.function(formatted("{} void {}(const _params& _p, {}& _at, int _axis, {} _by)", in_kernel,
                         step, type, index),
               body);
}

std::string PlaceText::start() const {
  std::string out;
  for (int k : arrays) out += formatted("{}_p._data{}", out.empty() ? "" : ", ", k);
  for (char letter : letters) out += formatted("{}_p._{}_start", out.empty() ? "" : ", ", letter);
  return "{" + out + "}";
}

std::string PlaceText::steps(const std::string& place, const std::string& rest,
                             std::span<const int> axes,
                             const std::function<std::string(int)>& extent) const {
  std::string out;
  for (int axis : axes) {
    const std::string by =
        axis == axes.back() ? rest
                            : formatted("gpuarr_kernel::_take_index({}, {})", rest, extent(axis));
    out += formatted("  {}(_p, {}, {}, {});\n", step, place, axis, by);
  }
  return out;
}

PreludeNeeds needs_of(const OperandVariants& operands, std::span<const UserText* const> texts) {
  std::vector<DType> dtypes;
  for (const OperandVariant& o : operands) dtypes.push_back(o.dtype);
  PreludeNeeds needs = needs_of(dtypes, texts);
  needs.views |= std::ranges::any_of(operands, is_raw, &OperandVariant::role);
  return needs;
}

std::string constant(std::string_view type, std::string_view name, std::string_view value) {
  return formatted("  const {} {} = {};\n", type, name, value);
}

std::string variable(std::string_view type, std::string_view name) {
  return formatted("  {} {};\n", type, name);
}

std::string reference(std::string_view type, std::string_view name, std::string_view value) {
  return formatted("  {}& {} = {};\n", type, name, value);
}

std::string assignment(std::string_view to, std::string_view value) {
  return formatted("  {} = {};\n", to, value);
}

std::string returned(std::string_view value) { return formatted("  return {};\n", value); }

std::string called(std::string_view function, std::string_view arguments) {
  return formatted("  {}({});\n", function, arguments);
}

std::string braced(std::string_view statements) { return formatted("  {{\n{}  }}\n", statements); }

std::vector<int> axes_down(int last, int first) {
  std::vector<int> axes;
  for (int axis = last; axis >= first; --axis) axes.push_back(axis);
  return axes;
}

std::string kernel_file(std::string_view path, std::string_view text) {
  return formatted("#line 1 \"gpuarr/{}.cuh\"\n{}\n", path, text);
}

}  // namespace gpuarr
