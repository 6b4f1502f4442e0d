// Chooses the parts of the prelude.
#include "codegen/prelude.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "codegen/prelude_text.hpp"
#include "codegen/words.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Calls visit(word, next) for every identifier (and number) of the text, where `next` is the first
/// character after it that is no space, or 0.
template <class Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    size_t next = end;
    while (next < text.size() && is_space(text[next])) ++next;
    if (end > begin) visit(text.substr(begin, end - begin), next < text.size() ? text[next] : '\0');
    begin = end + 1;
  }
}

constexpr auto types_and_parts = std::to_array<std::string_view>(
    {"complex64", "complex128", "thrust", "conj", "imag", "polar", "proj", "real"});
constexpr auto functions = std::to_array<std::string_view>(
    {"exp", "log", "log10", "sqrt", "pow", "sin", "cos", "tan", "sinh", "cosh", "tanh"});
constexpr auto inverse_functions =
    std::to_array<std::string_view>({"asin", "acos", "atan", "asinh", "acosh", "atanh"});
constexpr auto annotations = std::to_array<std::string_view>(
    {"__device__", "__host__", "__global__", "__forceinline__", "__noinline__", "__restrict__"});

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

void note_word(PreludeNeeds& needs, std::string_view word, char next) {
  if (word == "float16") needs.half = true;
  if (word == "bfloat16") needs.bfloat16 = true;
  // A class of the user's own may be called complex too.
  if (contains(types_and_parts, word) || (word == "complex" && next == '<')) needs.complex = true;
  if (contains(functions, word)) needs.complex_math = true;
  if (contains(inverse_functions, word)) needs.complex_inverse = true;
  if (word == "_ind") needs.views = true;
  if (word == "_report") needs.reports = true;
  if (word.starts_with("atomic") || word == "__threadfence") needs.atomics = true;
  if (word.starts_with("__") && !contains(annotations, word)) needs.intrinsics = true;
}

void append_part(std::string& result, std::string_view name, std::string_view part) {
  result += text("#line 1 \"gpuarr/{}.cuh\"\n", name);
  result += part;
}

}  // namespace

PreludeNeeds needs_of(std::span<const DType> dtypes, std::span<const std::string_view> user_texts) {
  PreludeNeeds needs;
  for (std::string_view text : user_texts)
    for_each_word(text, [&](std::string_view word, char next) { note_word(needs, word, next); });
  for (DType dtype : dtypes) {
    if (dtype == DType::f16) needs.half = true;
    if (dtype == DType::bf16) needs.bfloat16 = true;
    if (row(dtype).kind == DTypeKind::complex) needs.complex = true;
  }
  needs.complex_inverse = needs.complex_inverse && needs.complex;
  needs.complex_math = (needs.complex_math && needs.complex) || needs.complex_inverse;
  return needs;
}

std::string prelude_text(Target target, const PreludeNeeds& needs) {
  namespace part = prelude_parts;
  const bool host = target == Target::host;
  const bool inverse = needs.complex_inverse;
  const bool math = needs.complex_math || inverse;
  std::string result;
  append_part(result, "base", part::base);
  append_part(result, "constants", part::constants);
  append_part(result, "dtypes", part::dtypes);
  append_part(result, "types", part::types);
  if (host) append_part(result, "annotations_host", part::annotations_host);
  append_part(result, "math", part::math);
  if (host) append_part(result, "math_host", part::math_host);
  if (!host) append_part(result, "math_cuda", part::math_cuda);
  if (needs.intrinsics && host) append_part(result, "intrinsics_host", part::intrinsics_host);
  if (needs.intrinsics && host) append_part(result, "conversions_host", part::conversions_host);
  if (needs.half || needs.bfloat16) append_part(result, "half", part::half);
  if (needs.half) append_part(result, "binary16", part::binary16);
  if (needs.half) append_part(result, "float16", part::float16);
  if (needs.bfloat16) append_part(result, "brain16", part::brain16);
  if (needs.bfloat16) append_part(result, "bfloat16", part::bfloat16);
  if (needs.complex || math) append_part(result, "complex", part::complex);
  if (math) append_part(result, "complex_math", part::complex_math);
  if (inverse) append_part(result, "complex_inverse", part::complex_inverse);
  if (needs.atomics && host) append_part(result, "atomics_host", part::atomics_host);
  if (needs.atomics && !host) append_part(result, "atomics_cuda", part::atomics_cuda);
  if (needs.atomics) append_part(result, "atomics_const", part::atomics_const);
  if (needs.atomics && (needs.complex || math))
    append_part(result, "atomics_complex", part::atomics_complex);
  if (needs.views) append_part(result, "views", part::views);
  if (needs.reports) append_part(result, "reports", part::reports);
  return result;
}

}  // namespace gpuarr
