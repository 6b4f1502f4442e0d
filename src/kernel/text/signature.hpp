// The grammar of parameter lists: "T x, raw float32 y, const int32 n".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"

namespace gpuarr {

struct Parameter {
  std::string name;
  bool raw = false;
  std::optional<DType> dtype;  // nothing for a placeholder
  char letter = 0;             // of a placeholder
};

struct Signature {
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
  /// For each output the input of the same name, which it starts as; -1 for none.
  std::vector<int> starts_as;
};

/// Fails with GPUARR_ERR_SYNTAX or GPUARR_ERR_TYPE.
Signature parse_signature(std::string_view in_params, std::string_view out_params);

/// Whether the text can be a name in generated code.
bool is_identifier(std::string_view text);
bool is_keyword(std::string_view text);  // of C++

}  // namespace gpuarr
