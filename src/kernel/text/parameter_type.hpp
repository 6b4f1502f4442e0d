// What a parameter of a raw kernel is, read off its C++ spelling, and what may be given for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"

namespace gpuarr {

struct ParameterType {
  enum class Kind {
    unknown,  // a struct, an alias ...: what has the size will do
    value,    // of a dtype
    pointer,
    view,  // gpuarr_view<T, NDIM>
  };
  Kind kind = Kind::unknown;
  std::optional<DType> dtype;  // of the value or of the elements; none: any will do
  int ndim = 0;                // of a view
  bool contiguous = false;     // a view that wants it
  bool is_const = false;       // the elements behind a pointer or of a view
  std::string spelling;        // "const float*"; "" if nothing is known
};

/// "float const* __restrict__" and "const float *" are both "const float*".
ParameterType parse_type(std::string_view spelling);

/// The elements' dtype of a spelling such as "unsigned int" or "float"; none for a class.
std::optional<DType> element_dtype(std::string_view spelling);

struct NamedType {
  ParameterType type;
  std::string name;  // "" for none
};

/// "const float* x, int n": a declared list. Fails with GPUARR_ERR_SYNTAX.
std::vector<NamedType> parse_declared(std::string_view params);

/// The parameters of `void k<float>(float const*, int)`, as symbols are demangled; nothing if it is
/// no function.
std::optional<std::vector<NamedType>> parse_demangled(std::string_view function);

// Of CUDA C++ that is not preprocessed; templates, macros and conditions are looked through only as
// far as they are plain.

/// The parameters of a __global__ function; nothing if it is not found, or found with several
/// lists.
std::optional<std::vector<NamedType>> parse_source(std::string_view source, std::string_view name);

/// The elements' type of a __device__ or __constant__ variable; "" if it is not found.
std::string variable_type(std::string_view source, std::string_view name);

bool has_variables(std::string_view source);

/// Names of the __global__ functions, without namespaces.
std::vector<std::string> kernels_of(std::string_view source);

}  // namespace gpuarr
