// C++ as the generated texts are written in.
#pragma once

#include <string>
#include <string_view>

#include "core/text.hpp"

namespace gpuarr::expr {

inline std::string statement(std::string_view text) { return formatted("{};\n", text); }

inline std::string block(std::string_view head, std::string_view statements) {
  return formatted("{} {{\n{}}}\n", head, statements);
}

inline std::string set_to(std::string_view variable, std::string_view value) {
  return statement(formatted("{} = {}", variable, value));
}

inline std::string constant(std::string_view type, std::string_view name, std::string_view value) {
  return set_to(formatted("const {} {}", type, name), value);
}

/// The last of the statements of a function.
inline std::string returning(std::string_view value) {
  return statement(formatted("return {}", value));
}

inline std::string function_of(std::string_view type, std::string_view name,
                               std::string_view parameters, std::string_view statements) {
  return block(formatted("static inline {} {}({})", type, name, parameters), statements);
}

}  // namespace gpuarr::expr
