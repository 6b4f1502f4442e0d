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

std::string KernelWriter::element_type(int k) const {
  return formatted("{}{}", is(k, Role::input) ? "const " : "", type(k));
}

void PlaceText::declare(KernelWriter& out) const {
  out.add("\nstruct {} {{\n", type);
  for (int k : arrays)
    out.add("  {}* _data{};  // {}\n", out.element_type(k), k, out.names[as_index(k)].name);
  for (char letter : letters) out.add("  long long _{};\n", letter);
  out.text += "};\n";
}

void PlaceText::declare_step(KernelWriter& out, const char* index, const char* offset,
                             const std::function<bool(int)>& stays) const {
  out.add("{} void {}(const _params& _p, {}& _at, int _axis, {} _by) {{\n", in_kernel, step, type,
          index);
  const std::string by = index == offset ? "_by" : formatted("({})_by", offset);
  const bool is_short = std::string_view(offset) == "int";
  for (int k : arrays)
    if (!stays || !stays(k))
      out.add("  _at._data{0} += {1} * {2}_p._stride{0}[_axis];\n", k, by, is_short ? "(int)" : "");
  for (char letter : letters)
    out.add("  _at._{0} += {1} * _p._{0}_stride[_axis];\n", letter,
            is_short ? "(long long)_by" : by);
  out.text += "}\n";
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
  for (int axis : axes)
    if (axis == axes.back())
      out += formatted("  {}(_p, {}, {}, {});\n", step, place, axis, rest);
    else
      out += formatted("  {}(_p, {}, {}, gpuarr_kernel::_take_index({}, {}));\n", step, place, axis,
                       rest, extent(axis));
  return out;
}

PreludeNeeds needs_of(const OperandVariants& operands, std::span<const UserText* const> texts) {
  std::vector<DType> dtypes;
  for (const OperandVariant& o : operands) dtypes.push_back(o.dtype);
  PreludeNeeds needs = needs_of(dtypes, texts);
  needs.views |= std::ranges::any_of(operands, is_raw, &OperandVariant::role);
  return needs;
}

std::vector<int> axes_down(int last, int first) {
  std::vector<int> axes;
  for (int axis = last; axis >= first; --axis) axes.push_back(axis);
  return axes;
}

std::string kernel_file(std::string_view path, std::string_view text) {
  return formatted("#line 1 \"gpuarr/{}.cuh\"\n{}\n", path, text);
}

}  // namespace gpuarr
