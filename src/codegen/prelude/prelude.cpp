// Chooses the parts of the prelude.
#include "codegen/prelude/prelude.hpp"

#include <algorithm>

#include "codegen/prelude_host_text.hpp"
#include "codegen/prelude_text.hpp"
#include "core/text.hpp"
#include "core/tokens.hpp"

namespace gpuarr {
namespace {

constexpr std::string_view types[] = {"complex64", "complex128", "thrust"};
constexpr std::string_view parts_of_numbers[] = {"real", "imag", "conj", "norm", "polar"};
constexpr std::string_view functions[] = {"exp", "log", "log10", "sqrt", "pow", "sin",
                                          "cos", "tan", "sinh",  "cosh", "tanh"};
constexpr std::string_view inverse_functions[] = {"asin",  "acos",  "atan",
                                                  "asinh", "acosh", "atanh"};
constexpr std::string_view indices[] = {"_ind", "_in_ind", "_out_ind"};
constexpr std::string_view annotations[] = {"__device__",      "__host__",     "__global__",
                                            "__forceinline__", "__noinline__", "__restrict__"};

constexpr std::string_view rare_functions[] = {"cyl_bessel_i0",
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
                                               "yn"};
constexpr std::string_view vector_types[] = {"char",     "uchar",     "short", "ushort",
                                             "int",      "uint",      "long",  "ulong",
                                             "longlong", "ulonglong", "float", "double"};
constexpr std::string_view word_functions[] = {"__byte_perm", "__funnelshift_", "__fns",  "__uhadd",
                                               "__urhadd",    "__dp2a_",        "__dp4a", "__v"};
constexpr std::string_view memory_functions[] = {"memcpy", "memmove", "memset", "malloc",
                                                 "free",   "clock",   "clock64"};
constexpr std::string_view limited_types[] = {"CHAR_",   "SCHAR_", "UCHAR_", "SHRT_",  "USHRT_",
                                              "INT_",    "UINT_",  "LONG_",  "ULONG_", "LLONG_",
                                              "ULLONG_", "FLT_",   "DBL_"};

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
void note_cuda_word(PreludeNeeds& needs, std::string_view word, char next) {
  needs.limits |= begins_with(word, limited_types);
  needs.rare_math |= next != '=' && is_rare(word);  // a result may be called y0
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
  needs.vector_math = all_vector_math;
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
  needs.languages |= language_of(word);
  if (word.starts_with("atomic") || word == "__threadfence") needs.atomics = true;
  if (word.starts_with("__") && !is_one_of(word, annotations)) needs.intrinsics = true;
  if (word.find("include") != std::string_view::npos ||
      word.find("import") != std::string_view::npos)
    note_include(needs);
  note_cuda_word(needs, word, next);
}

// What long parts call is read out of them, once.
VectorMath vector_math_of(const PreludeNeeds& needs, std::span<const UserText* const> texts) {
  VectorMath set = needs.vector_math;
  for (const UserText* text : texts) set |= vector_math_of(*text, needs.complex);
  if (needs.complex_math) {
    static const VectorMath calls = vector_math_of(UserText(prelude_parts::complex_math), true);
    set |= calls;
  }
  if (needs.complex_inverse) {
    static const VectorMath calls = vector_math_of(UserText(prelude_parts::complex_inverse), true);
    set |= calls;
  }
  if (needs.rare_math) {
    static const VectorMath calls = vector_math_of(UserText(prelude_host_parts::math_rare), false);
    set |= calls;
  }
  return set;
}

// As long as most kernels are. A first call spends more on the pages that a text grows through than
// on writing it.
constexpr size_t usual_bytes = 32768;

// What stands before functions of complex numbers.
void add_real_parts(std::string& out, const PreludeNeeds& needs, bool host) {
  namespace part = prelude_parts;
  namespace host_part = prelude_host_parts;
  const bool intrinsics = host && (needs.intrinsics || needs.words);
  const bool vectors = host && (needs.vectors || needs.words || needs.rare_atomics);
  add_parts(out, {
                     {"base", part::base},
                     {"constants", part::constants},
                     {"dtypes", part::dtypes},
                     {"types", part::types},
                     {"limits", part::limits, needs.limits},
                     {"float_limits", part::float_limits, needs.limits},
                     {"host/annotations", host_part::annotations, host},
                     {"math", part::math},
                     {"host/math", host_part::math, host},
                     {"math_cuda", part::math_cuda, !host},
                     {"math_rare_cuda", part::math_rare_cuda, !host && needs.rare_math},
                     {"host/math_rare", host_part::math_rare, host && needs.rare_math},
                     {"host/intrinsics", host_part::intrinsics, intrinsics},
                     {"host/conversions", host_part::conversions, intrinsics},
                     {"host/rounding", host_part::rounding, host && needs.rounding},
                     {"host/vectors", host_part::vectors, vectors},
                     {"host/words", host_part::words, host && needs.words},
                     {"half", part::half, needs.half || needs.bfloat16},
                     {"binary16", part::binary16, needs.half},
                     {"float16", part::float16, needs.half},
                     {"brain16", part::brain16, needs.bfloat16},
                     {"bfloat16", part::bfloat16, needs.bfloat16},
                 });
}

std::string prelude_text(const PreludeNeeds& needs, bool host) {
  namespace part = prelude_parts;
  namespace host_part = prelude_host_parts;
  const bool inverse = needs.complex_inverse;
  const bool math = needs.complex_math || inverse;
  const bool complex = needs.complex || math;
  const bool atomics = needs.atomics || needs.rare_atomics || needs.memory;
  const bool assertions = host && needs.assertions;
  std::string result;
  result.reserve(usual_bytes);
  add_real_parts(result, needs, host);
  if (host && needs.vector_math != 0) {
    add_parts(result, {{"host/libmvec", host_part::libmvec}});
    result += vector_math_text(needs.vector_math);
  }
  if (complex) result += needs.own_names;
  add_parts(result, {
                        {"complex", part::complex, complex},
                        {"complex_math", part::complex_math, math},
                        {"complex_inverse", part::complex_inverse, inverse},
                        {"host/atomics", host_part::atomics, host && atomics},
                        {"host/atomics_rare", host_part::atomics_rare, host && needs.rare_atomics},
                        {"host/memory", host_part::memory, host && needs.memory},
                    });
  if (host && needs.no_assertions) result += "#define GPUARR_NO_ASSERT 1\n";
  add_parts(result, {
                        {"host/assert", host_part::assert, assertions},
                        {"atomics_cuda", part::atomics_cuda, needs.atomics && !host},
                        {"atomics_const", part::atomics_const, needs.atomics},
                        {"atomics_complex", part::atomics_complex, needs.atomics && complex},
                        {"views", part::views, needs.views},
                        {"reports", part::reports, needs.reports},
                    });
  if (needs.languages != 0) result += language_text(needs.languages);
  return result;
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
  needs.views |= needs.languages != 0;
  needs.vector_math = vector_math_of(needs, texts);
  return needs;
}

void add_parts(std::string& out, std::initializer_list<PreludePart> parts) {
  for (const PreludePart& part : parts)
    if (part.wanted)
      out.append("#line 1 \"gpuarr/").append(part.name).append(".cuh\"\n").append(part.text);
}

std::string joined(std::initializer_list<PreludePart> parts) {
  std::string result;
  add_parts(result, parts);
  return result;
}

std::string cuda_prelude(const PreludeNeeds& needs) { return prelude_text(needs, false); }
std::string host_prelude(const PreludeNeeds& needs) { return prelude_text(needs, true); }

}  // namespace gpuarr
