// The text that goes before a generated kernel: types, functions, views (see prelude/README.md).
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "codegen/prelude/languages.hpp"
#include "codegen/prelude/libmvec.hpp"
#include "core/dtype.hpp"
#include "core/user_text.hpp"

namespace gpuarr {

/// The parts that a kernel wants beside the base. Parsing is most of what compiling costs.
struct PreludeNeeds {
  bool half = false;
  bool bfloat16 = false;
  bool complex = false;
  bool complex_math = false;     // exp, sqrt, sin ... of complex numbers
  bool complex_inverse = false;  // asin, acosh ... of complex numbers
  bool views = false;            // raw parameters, _ind, _in_ind, _out_ind
  bool intrinsics = false;       // __popc, __float_as_int ...; CUDA has them without
  bool atomics = false;
  bool limits = false;         // INT_MAX, FLT_MAX ...
  bool rare_math = false;      // erfinv, j0, norm3d ...
  bool assertions = false;     // assert, __trap; the others from here on CUDA has without
  bool no_assertions = false;  // NDEBUG
  bool rounding = false;       // __fadd_rn, __ll2float_ru ...
  bool vectors = false;        // float3, make_int2, dim3 ...
  bool words = false;          // __byte_perm, __vadd4 ...; needs intrinsics, vectors
  bool memory = false;         // memcpy, __ldcg, clock64 ...; needs atomics
  bool rare_atomics = false;   // atomicAdd_block, of float2 ...; needs atomics, vectors
  bool reports = false;        // _report
  Languages languages = 0;     // gpuarr_rust, gpuarr_julia, gpuarr_fortran
  VectorMath vector_math = 0;  // exp, sin ... of libmvec; on the host
  std::string own_names = {};
};

/// Whether a text has a word that may be INT_MAX, FLT_EPSILON or the like.
bool names_limits(const UserText& text);

/// Macros that keep out functions of real numbers whose names the text has for something else, as
/// in `typedef float real;`. Templates and overloads of those names need none.
std::string own_names(const UserText& text);

/// What a kernel of these element types and pieces of user text wants. Raw parameters are for the
/// caller to add (views).
PreludeNeeds needs_of(std::span<const DType> dtypes, std::span<const UserText* const> texts);

/// A .cuh file, which messages name by its path.
struct PreludePart {
  std::string_view name;
  std::string_view text;
  bool wanted = true;
};
/// Those that are wanted, one after another.
void add_parts(std::string& out, std::initializer_list<PreludePart> parts);
std::string joined(std::initializer_list<PreludePart> parts);

std::string cuda_prelude(const PreludeNeeds& needs);
std::string host_prelude(const PreludeNeeds& needs);

}  // namespace gpuarr
