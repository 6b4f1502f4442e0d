#include "codegen/prelude/libmvec.hpp"

#include <algorithm>
#include <iterator>

#include "core/text.hpp"

namespace gpuarr {
namespace {

struct VectorFunction {
  std::string_view name;
  int arguments;
  int level;  // of GPUARR_LIBMVEC
};

// As math.cuh declares them.
constexpr VectorFunction vector_functions[] = {
    {"sin", 1, 1},   {"cos", 1, 1},   {"exp", 1, 1},   {"log", 1, 1},   {"pow", 2, 1},
    {"tan", 1, 2},   {"asin", 1, 2},  {"acos", 1, 2},  {"atan", 1, 2},  {"atan2", 2, 2},
    {"sinh", 1, 2},  {"cosh", 1, 2},  {"tanh", 1, 2},  {"asinh", 1, 2}, {"acosh", 1, 2},
    {"atanh", 1, 2}, {"exp2", 1, 2},  {"exp10", 1, 2}, {"expm1", 1, 2}, {"log2", 1, 2},
    {"log10", 1, 2}, {"log1p", 1, 2}, {"cbrt", 1, 2},  {"hypot", 2, 2}, {"erf", 1, 2},
    {"erfc", 1, 2},
};
static_assert(std::size(vector_functions) <= 8 * sizeof(VectorMath));

VectorMath named(std::string_view name) {
  const auto* row = std::ranges::find(vector_functions, name, &VectorFunction::name);
  return row == std::end(vector_functions) ? 0
                                           : VectorMath{1} << (row - std::begin(vector_functions));
}

// What else of host/math.cuh, which every kernel has, and of complex.cuh calls them.
struct Caller {
  std::string_view name;
  std::string_view calls[2];
  bool complex = false;  // of complex numbers alone
};
constexpr Caller callers[] = {{"rcbrt", {"cbrt"}},        {"rhypot", {"hypot"}},
                              {"normcdf", {"erfc"}},      {"sinpi", {"sin"}},
                              {"cospi", {"sin"}},         {"sincospi", {"sin"}},
                              {"sincos", {"sin", "cos"}}, {"abs", {"hypot"}, true},
                              {"arg", {"atan2"}, true},   {"polar", {"sin", "cos"}, true}};

VectorMath called_by(std::string_view name, bool complex) {
  if (const VectorMath own = named(name)) return own;
  const auto* row = std::ranges::find(callers, name, &Caller::name);
  if (row == std::end(callers) || (row->complex && !complex)) return 0;
  return named(row->calls[0]) | named(row->calls[1]);
}

}  // namespace

VectorMath vector_math_of(const UserText& text, bool complex) {
  VectorMath set = 0;
  for (const UserText::Word& w : text.words()) {
    std::string_view word = w.text;
    if (word.starts_with("__")) word.remove_prefix(2);
    set |= called_by(word, complex);
    if (word.ends_with('f')) set |= called_by(word.substr(0, word.size() - 1), complex);
  }
  return set;
}

std::string vector_math_text(VectorMath set) {
  std::string out;
  for (const VectorFunction& f : vector_functions)
    if (set & named(f.name))
      out += formatted("GPUARR_LIBMVEC{}({}, {})\n", f.level, f.arguments, f.name);
  return out;
}

}  // namespace gpuarr
