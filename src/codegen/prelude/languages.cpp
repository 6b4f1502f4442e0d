// The files of each language, and the name that a text asks for them by.
#include "codegen/prelude/languages.hpp"

#include <array>

#include "codegen/prelude/prelude.hpp"
#include "codegen/prelude_language_text.hpp"

namespace gpuarr {
namespace {

namespace part = prelude_language_parts;

constexpr std::array<std::string_view, 3> names = {"gpuarr_rust", "gpuarr_julia", "gpuarr_fortran"};
constexpr Languages rust = 1, julia = 2, fortran = 4;

std::array<VectorMath, names.size()> vector_math_of_each() {
  std::array<VectorMath, names.size()> result = {};
  for (size_t k = 0; k < names.size(); ++k)
    result[k] = vector_math_of(UserText(language_text(1u << k)), false);
  return result;
}

}  // namespace

Languages language_of(std::string_view word) {
  if (!word.starts_with("gpuarr_")) return 0;
  for (size_t k = 0; k < names.size(); ++k)
    if (word == names[k]) return 1u << k;
  return 0;
}

Languages languages_of(const UserText& text) {
  Languages set = 0;
  for (const UserText::Word& word : text.words()) set |= language_of(word.text);
  return set;
}

std::string language_text(Languages set) {
  return joined({{"language/checks", part::checks, set != 0},
                 {"language/rust", part::rust, (set & rust) != 0},
                 {"language/julia", part::julia, (set & julia) != 0},
                 {"language/fortran", part::fortran, (set & fortran) != 0}});
}

VectorMath vector_math_of_languages(Languages set) {
  if (set == 0) return 0;
  static const auto of_each = vector_math_of_each();
  VectorMath result = 0;
  for (size_t k = 0; k < names.size(); ++k)
    if ((set & (1u << k)) != 0) result |= of_each[k];
  return result;
}

}  // namespace gpuarr
