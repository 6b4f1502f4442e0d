// The files of each language, and the name that a text asks for them by.
#include "codegen/prelude/languages.hpp"

#include <array>

#include "codegen/prelude/prelude.hpp"
#include "codegen/prelude_language_text.hpp"

namespace gpuarr {
namespace {

// gpuarr_julia_raw has what raw kernels alone have: threads and atomic operations.
constexpr std::array<std::string_view, 4> language_names = {"gpuarr_rust", "gpuarr_julia",
                                                            "gpuarr_fortran", "gpuarr_julia_raw"};

}  // namespace

Languages language_of(std::string_view word) {
  if (!word.starts_with("gpuarr_")) return 0;
  for (size_t k = 0; k < language_names.size(); ++k)
    if (word == language_names[k]) return 1u << k;
  return 0;
}

Languages languages_of(const UserText& text) {
  Languages set = 0;
  for (const UserText::Word& word : text.words()) set |= language_of(word.text);
  return set;
}

std::string language_text(Languages set) {
  namespace part = prelude_language_parts;
  constexpr Languages rust = 1, julia = 2 + 8, fortran = 4, julia_raw = 8;
  return joined({{"language/checks", part::checks, set != 0},
                 {"language/integers", part::integers, set != 0},
                 {"language/rust", part::rust, (set & rust) != 0},
                 {"language/rust_numbers", part::rust_numbers, (set & rust) != 0},
                 {"language/rust_integers", part::rust_integers, (set & rust) != 0},
                 {"language/julia", part::julia, (set & julia) != 0},
                 {"language/julia_numbers", part::julia_numbers, (set & julia) != 0},
                 {"language/julia_raw", part::julia_raw, (set & julia_raw) != 0},
                 {"language/fortran", part::fortran, (set & fortran) != 0},
                 {"language/fortran_reals", part::fortran_reals, (set & fortran) != 0},
                 {"language/fortran_arrays", part::fortran_arrays, (set & fortran) != 0}});
}

}  // namespace gpuarr
