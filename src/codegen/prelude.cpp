// Chooses the parts of the prelude.
#include "codegen/prelude.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "codegen/prelude_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls visit(word) for every identifier (and number) of the text.
template <class Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > begin) visit(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

constexpr auto complex_functions = std::to_array<std::string_view>(
    {"exp", "log", "log10", "sqrt", "pow", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin",
     "acos", "atan", "asinh", "acosh", "atanh", "polar"});

void note_word(PreludeNeeds& needs, std::string_view word) {
  if (word == "float16") needs.half = true;
  if (word == "bfloat16") needs.bfloat16 = true;
  if (word == "complex" || word == "complex64" || word == "complex128" || word == "thrust")
    needs.complex = true;
  if (word == "_ind") needs.views = true;
  if (word.starts_with("atomic") || word == "__threadfence") needs.atomics = true;
  if (word.starts_with("__")) needs.intrinsics = true;
  if (std::ranges::find(complex_functions, word) != complex_functions.end())
    needs.complex_math = true;
}

void append_part(std::string& result, std::string_view name, std::string_view part) {
  result += text("#line 1 \"gpuarr/{}.cuh\"\n", name);
  result += part;
}

}  // namespace

PreludeNeeds needs_of(std::span<const DType> dtypes, std::span<const std::string_view> user_texts) {
  PreludeNeeds needs;
  for (std::string_view text : user_texts)
    for_each_word(text, [&](std::string_view word) { note_word(needs, word); });
  for (DType dtype : dtypes) {
    if (dtype == DType::f16) needs.half = true;
    if (dtype == DType::bf16) needs.bfloat16 = true;
    if (row(dtype).kind == DTypeKind::complex) needs.complex = true;
  }
  needs.complex_math = needs.complex_math && needs.complex;
  return needs;
}

std::string prelude_text(Target target, const PreludeNeeds& needs) {
  namespace part = prelude_parts;
  const bool host = target == Target::host;
  std::string result;
  append_part(result, "types", part::types);
  append_part(result, "math", part::math);
  if (host) append_part(result, "math_host", part::math_host);
  if (!host) append_part(result, "math_cuda", part::math_cuda);
  if (host && needs.intrinsics) append_part(result, "intrinsics_host", part::intrinsics_host);
  if (host && needs.atomics) append_part(result, "atomics_host", part::atomics_host);
  if (!host && needs.atomics) append_part(result, "atomics_cuda", part::atomics_cuda);
  if (needs.half || needs.bfloat16) append_part(result, "half", part::half);
  if (needs.half) append_part(result, "float16", part::float16);
  if (needs.bfloat16) append_part(result, "bfloat16", part::bfloat16);
  if (needs.views) append_part(result, "views", part::views);
  return result;
}

}  // namespace gpuarr
