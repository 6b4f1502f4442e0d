// Chooses the parts of the prelude.
#include "codegen/prelude/prelude.hpp"

#include <algorithm>
#include <array>

#include "codegen/prelude_host_text.hpp"
#include "codegen/prelude_text.hpp"
#include "core/text.hpp"
#include "core/tokens.hpp"

namespace gpuarr {
namespace {

constexpr auto types = std::to_array<std::string_view>({"complex64", "complex128", "thrust"});
constexpr auto parts_of_numbers =
    std::to_array<std::string_view>({"real", "imag", "conj", "norm", "polar"});
constexpr auto functions = std::to_array<std::string_view>(
    {"exp", "log", "log10", "sqrt", "pow", "sin", "cos", "tan", "sinh", "cosh", "tanh"});
constexpr auto inverse_functions =
    std::to_array<std::string_view>({"asin", "acos", "atan", "asinh", "acosh", "atanh"});
constexpr auto indices = std::to_array<std::string_view>({"_ind", "_in_ind", "_out_ind"});
constexpr auto annotations = std::to_array<std::string_view>(
    {"__device__", "__host__", "__global__", "__forceinline__", "__noinline__", "__restrict__"});

constexpr auto rare_functions = std::to_array<std::string_view>({"cyl_bessel_i0",
                                                                 "cyl_bessel_i1",
                                                                 "erfcinv",
                                                                 "erfcx",
                                                                 "erfinv",
                                                                 "finite",
                                                                 "j0",
                                                                 "j1",
                                                                 "jn",
                                                                 "labs",
                                                                 "llabs",
                                                                 "llmax",
                                                                 "llmin",
                                                                 "llrint",
                                                                 "llround",
                                                                 "lrint",
                                                                 "lround",
                                                                 "nan",
                                                                 "norm",
                                                                 "norm3d",
                                                                 "norm4d",
                                                                 "normcdfinv",
                                                                 "remquo",
                                                                 "rhypot",
                                                                 "rnorm",
                                                                 "rnorm3d",
                                                                 "rnorm4d",
                                                                 "scalbln",
                                                                 "scalbn",
                                                                 "sincospi",
                                                                 "ullmax",
                                                                 "ullmin",
                                                                 "umax",
                                                                 "umin",
                                                                 "y0",
                                                                 "y1",
                                                                 "yn"});
constexpr auto vector_types =
    std::to_array<std::string_view>({"char", "uchar", "short", "ushort", "int", "uint", "long",
                                     "ulong", "longlong", "ulonglong", "float", "double"});
constexpr auto word_functions = std::to_array<std::string_view>(
    {"__byte_perm", "__funnelshift_", "__fns", "__uhadd", "__urhadd", "__dp2a_", "__dp4a", "__v"});
constexpr auto memory_functions = std::to_array<std::string_view>(
    {"memcpy", "memmove", "memset", "malloc", "free", "clock", "clock64"});
constexpr auto limited_types = std::to_array<std::string_view>(
    {"CHAR_", "SCHAR_", "UCHAR_", "SHRT_", "USHRT_", "INT_", "UINT_", "LONG_", "ULONG_", "LLONG_",
     "ULLONG_", "FLT_", "DBL_"});

bool begins_with(std::string_view word, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](auto begin) { return word.starts_with(begin); });
}

// erfinv, erfinvf
bool is_rare(std::string_view word) {
  if (is_one_of(word, rare_functions)) return true;
  return word.ends_with('f') && is_one_of(word.substr(0, word.size() - 1), rare_functions);
}

// float3, make_float3, dim3
bool is_vector(std::string_view word) {
  if (word == "dim3") return true;
  if (word.starts_with("make_")) word.remove_prefix(5);
  return !word.empty() && word.back() >= '1' && word.back() <= '4' &&
         is_one_of(word.substr(0, word.size() - 1), vector_types);
}

// What CUDA has without being asked, and the host not.
void note_cuda_word(PreludeNeeds& needs, std::string_view word) {
  needs.limits |= begins_with(word, limited_types);
  needs.rare_math |= is_rare(word);
  needs.assertions |= word == "assert" || word == "__trap";
  needs.no_assertions |= word == "NDEBUG";
  needs.vectors |= is_vector(word);
  needs.memory |= is_one_of(word, memory_functions);
  needs.rare_atomics |=
      word.starts_with("atomic") && (word.ends_with("_block") || word.ends_with("_system"));
  if (!word.starts_with("__")) return;
  needs.rounding |= word.size() > 3 && word[word.size() - 3] == '_' && word[word.size() - 2] == 'r';
  needs.words |= begins_with(word, word_functions);
  needs.memory |=
      word.starts_with("__ld") || word.starts_with("__st") || word.starts_with("__threadfence_");
}

// Any name may hide in a file.
void note_include(PreludeNeeds& needs) {
  for (bool* need :
       {&needs.intrinsics, &needs.limits, &needs.rare_math, &needs.assertions, &needs.rounding,
        &needs.vectors, &needs.words, &needs.memory, &needs.rare_atomics})
    *need = true;
}

void note_word(PreludeNeeds& needs, std::string_view word, char next) {
  if (word == "float16") needs.half = true;
  if (word == "bfloat16") needs.bfloat16 = true;
  // A user may have a class called complex, and what he likes called real.
  if (is_one_of(word, types) || (word == "complex" && next == '<') ||
      (is_one_of(word, parts_of_numbers) && next == '('))
    needs.complex = true;
  if (is_one_of(word, functions)) needs.complex_math = true;
  if (is_one_of(word, inverse_functions)) needs.complex_inverse = true;
  if (is_one_of(word, indices)) needs.views = true;
  if (word == "_report") needs.reports = true;
  if (word.starts_with("atomic") || word == "__threadfence") needs.atomics = true;
  if (word.starts_with("__") && !is_one_of(word, annotations)) needs.intrinsics = true;
  if (word.find("include") != std::string_view::npos ||
      word.find("import") != std::string_view::npos)
    note_include(needs);
  note_cuda_word(needs, word);
}

void append_part(std::string& result, std::string_view name, std::string_view part) {
  result += formatted("#line 1 \"gpuarr/{}.cuh\"\n", name);
  result += part;
}

// For the CPU, of the folder host/.
void append_host_part(std::string& result, std::string_view name, std::string_view part) {
  append_part(result, formatted("host/{}", name), part);
}

}  // namespace

bool names_limits(const UserText& text) {
  return std::ranges::any_of(
      text.words(), [&](const auto& word) { return begins_with(word.text, limited_types); });
}

std::string own_names(const UserText& text) {
  std::string out;
  for (const UserText::Word& word : text.words())
    if (word.free && is_one_of(word.text, parts_of_numbers))
      out += formatted("#define GPUARR_OWN_{} 1\n", word.text);
  return out;
}

PreludeNeeds needs_of(std::span<const DType> dtypes, std::span<const UserText* const> texts) {
  PreludeNeeds needs;
  for (const UserText* text : texts)
    for (const UserText::Word& word : text->words()) note_word(needs, word.text, word.next);
  needs.rare_atomics |= needs.atomics && needs.vectors;
  for (DType dtype : dtypes) {
    if (dtype == DType::f16) needs.half = true;
    if (dtype == DType::bf16) needs.bfloat16 = true;
    if (is_complex(dtype)) needs.complex = true;
  }
  for (const UserText* text : texts)
    if (needs.complex) needs.own_names += own_names(*text);
  needs.complex_inverse = needs.complex_inverse && needs.complex;
  needs.complex_math = (needs.complex_math && needs.complex) || needs.complex_inverse;
  return needs;
}

namespace {

// What the host wants between functions of real numbers and other types, and after all.
std::string intrinsics_text(const PreludeNeeds& needs) {
  namespace host_part = prelude_host_parts;
  const bool intrinsics = needs.intrinsics || needs.words;
  const bool vectors = needs.vectors || needs.words || needs.rare_atomics;
  std::string result;
  if (needs.rare_math) append_host_part(result, "math_rare", host_part::math_rare);
  if (intrinsics) append_host_part(result, "intrinsics", host_part::intrinsics);
  if (intrinsics) append_host_part(result, "conversions", host_part::conversions);
  if (needs.rounding) append_host_part(result, "rounding", host_part::rounding);
  if (vectors) append_host_part(result, "vectors", host_part::vectors);
  if (needs.words) append_host_part(result, "words", host_part::words);
  return result;
}

std::string memory_text(const PreludeNeeds& needs) {
  namespace host_part = prelude_host_parts;
  std::string result;
  if (needs.atomics || needs.rare_atomics || needs.memory)
    append_host_part(result, "atomics", host_part::atomics);
  if (needs.rare_atomics) append_host_part(result, "atomics_rare", host_part::atomics_rare);
  if (needs.memory) append_host_part(result, "memory", host_part::memory);
  if (needs.no_assertions) result += "#define GPUARR_NO_ASSERT 1\n";
  if (needs.assertions) append_host_part(result, "assert", host_part::assert);
  return result;
}

std::string prelude_text(const PreludeNeeds& needs, bool host) {
  namespace part = prelude_parts;
  namespace host_part = prelude_host_parts;
  const bool inverse = needs.complex_inverse;
  const bool math = needs.complex_math || inverse;
  std::string result;
  append_part(result, "base", part::base);
  append_part(result, "constants", part::constants);
  append_part(result, "dtypes", part::dtypes);
  append_part(result, "types", part::types);
  if (needs.limits) append_part(result, "limits", part::limits);
  if (needs.limits) append_part(result, "float_limits", part::float_limits);
  if (host) append_host_part(result, "annotations", host_part::annotations);
  append_part(result, "math", part::math);
  if (host) append_host_part(result, "math", host_part::math);
  if (!host) append_part(result, "math_cuda", part::math_cuda);
  if (!host && needs.rare_math) append_part(result, "math_rare_cuda", part::math_rare_cuda);
  if (host) result += intrinsics_text(needs);
  if (needs.half || needs.bfloat16) append_part(result, "half", part::half);
  if (needs.half) append_part(result, "binary16", part::binary16);
  if (needs.half) append_part(result, "float16", part::float16);
  if (needs.bfloat16) append_part(result, "brain16", part::brain16);
  if (needs.bfloat16) append_part(result, "bfloat16", part::bfloat16);
  if (needs.complex || math) {
    result += needs.own_names;
    append_part(result, "complex", part::complex);
  }
  if (math) append_part(result, "complex_math", part::complex_math);
  if (inverse) append_part(result, "complex_inverse", part::complex_inverse);
  if (host) result += memory_text(needs);
  if (needs.atomics && !host) append_part(result, "atomics_cuda", part::atomics_cuda);
  if (needs.atomics) append_part(result, "atomics_const", part::atomics_const);
  if (needs.atomics && (needs.complex || math))
    append_part(result, "atomics_complex", part::atomics_complex);
  if (needs.views) append_part(result, "views", part::views);
  if (needs.reports) append_part(result, "reports", part::reports);
  return result;
}

}  // namespace

std::string cuda_prelude(const PreludeNeeds& needs) { return prelude_text(needs, false); }
std::string host_prelude(const PreludeNeeds& needs) { return prelude_text(needs, true); }

}  // namespace gpuarr
