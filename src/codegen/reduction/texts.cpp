#include "codegen/reduction/texts.hpp"

namespace gpuarr {

// What `names` declares hides parameters of the kernel that are called so.
void UserFunctions::write_body(KernelWriter& out, const char* piece, const UserText& text,
                               const std::string& names) const {
  out.text += ") {\n" + bind_constants(out.operands, out.names);
  if (indices) out.text += indices(piece, text);
  out.text += "  {\n" + names + statements(piece, text) + "  }\n}\n";
}

void UserFunctions::write(KernelWriter& out) const {
  const char* const sum = "    const _type_reduce& a = _a;\n";
  out.add(
      "{} _type_reduce _reduce(const _params& _p, const _type_reduce& _a, "
      "const _type_reduce& _b",
      in_kernel);
  write_body(out, "reduce", pieces.reduce,
             formatted("{}    const _type_reduce& b = _b;\n    return\n", sum));
  if (has_identity) {
    out.add("{} _type_reduce _identity(const _params& _p", in_kernel);
    write_body(out, "identity", *pieces.identity, "    return\n");
  }
  out.add("{} _type_reduce _map(const _params& _p", in_kernel);
  for (int k : out.inputs) out.add(", const {}& {}", out.type(k), out.names[as_index(k)].name);
  out.text += map_numbers;
  write_body(out, "map", pieces.map, "    return\n");
  out.add("{} void _post(const _params& _p, {} _a", in_kernel, post_takes);
  for (int k : out.outputs) out.add(", {}& {}", out.type(k), out.names[as_index(k)].name);
  out.text += post_numbers;
  write_body(out, "post", pieces.post, formatted("    {} a = _a;\n", post_sees));
}

std::string reduce_type_text(std::string_view type) {
  std::string out = "typedef\n" + user_piece("reduce_type", type) + "_type_reduce;\n";
  const char* const wants[][2] = {
      {"__is_trivially_copyable(_type_reduce)", "must be trivially copyable"},
      {"sizeof(_type_reduce) <= 64", "has at most 64 bytes"},
      {"__is_constructible(_type_reduce)", "must have a default constructor"},
      {"__is_assignable(_type_reduce&, const _type_reduce&)", "must be assignable"}};
  for (const auto& [condition, want] : wants)
    out += formatted(
        "#line 1 \"reduce_type\"\nstatic_assert({},\n              \"a reduce_type {}\");\n",
        condition, want);
  return out + "#line 1 \"generated\"\n";
}

}  // namespace gpuarr
