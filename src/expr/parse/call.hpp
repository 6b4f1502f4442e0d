// The arguments of a call: which parameter each is for.
#pragma once

#include <array>
#include <string>

#include "expr/parse/callable.hpp"

namespace gpuarr::expr {

constexpr size_t most_parameters = 5;

struct Call {
  const Callable* callable;
  std::array<uint8_t, most_parameters> parameters{};  // of each argument
};

constexpr int no_keyword = -1;

/// The parameter of that name. All of these fail with GPUARR_ERR_ARGUMENT.
int parameter_named(const Callable& callable, std::string_view name);

/// Notes argument `at`, which may name its parameter; so may one before it.
void add_argument(Call& call, size_t at, int keyword, bool after_keyword);

/// Checks that all is given that must be.
void check_arguments(const Call& call, size_t count);

}  // namespace gpuarr::expr
