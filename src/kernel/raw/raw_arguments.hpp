// A raw kernel's arguments: checked against its parameters, and packed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "array/array.hpp"
#include "array/scalar.hpp"
#include "kernel/text/parameter_type.hpp"

namespace gpuarr {

struct RawArgument {
  enum class Kind { array, view, scalar, bytes, pointer };
  Kind kind = Kind::scalar;
  const Array* array = nullptr;  // of an array or view
  DType dtype = DType::f32;      // of a scalar
  const void* data = nullptr;    // of a scalar, bytes or a pointer: where it lies
  int64_t bytes = 0;             // of bytes
};

constexpr size_t most_raw_bytes = 32764;  // of all parameters, as CUDA has it from 12.1 on

/// A kernel's parameters, as far as they are known.
struct RawSignature {
  struct Parameter {
    int64_t offset = 0;
    int64_t bytes = 0;
    ParameterType type;
    std::string name;  // "" for none
  };
  std::string kernel;
  std::vector<Parameter> parameters;
  size_t bytes = 0;         // of all, packed
  bool known = true;        // false: the driver cannot tell, and nothing else did
  bool sizes_known = true;  // false: the types say them, or the arguments have to

  std::string to_text() const;  // "saxpy(float, const float*, float*, int)"; "k(...)" if unknown
};

/// Fails with GPUARR_ERR_ARGUMENT or GPUARR_ERR_DTYPE, and names argument, parameter and what would
/// be right. `out` has room for signature.bytes, or most_raw_bytes where sizes are not known;
/// returns the bytes that were written.
size_t pack_arguments(const RawSignature& signature, std::span<const RawArgument> arguments,
                      std::byte* out);

/// Where an argument lies in what pack_arguments() writes.
int64_t offset_of(const RawSignature& signature, std::span<const RawArgument> arguments, size_t k);

}  // namespace gpuarr
