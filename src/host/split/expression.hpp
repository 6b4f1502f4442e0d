// What expressions do to variables, as far as their tokens tell.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "host/split/declaration.hpp"

namespace gpuarr::host {

/// `i /= 2`, `++i`, `i = j + 1`.
struct Update {
  size_t name = 0;   // a token
  TokenRange value;  // empty for ++ and --
  TokenRange all;
};
std::optional<Update> read_update(const Parsed& parsed, TokenRange range);

/// Whether the token, which names a variable, is assigned to or has its address taken there.
/// Calls may change it too, if they take references.
bool changes_there(const Parsed& parsed, size_t token, const Variable& variable);

/// What an expression may be made of so that evaluating it again gives the same value and does
/// nothing else.
struct PureWords {
  bool threads = false;   // threadIdx too
  bool integers = false;  // no floating-point numbers: they may be rounded differently elsewhere
  bool divisions = true;  // by anything
  std::function<bool(size_t)> variable;  // a token that names one, or a constant
  std::function<bool(std::string_view)> function;
};
bool is_pure(const Parsed& parsed, TokenRange range, const PureWords& words);

}  // namespace gpuarr::host
