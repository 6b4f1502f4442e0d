// How large and how deeply nested text may be that is read here, or by a compiler in this process.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/tokens.hpp"

namespace gpuarr {

constexpr size_t most_text_bytes = size_t{16} << 20;

/// Compilers read what is open by calling themselves, and NVRTC does that on a stack of this
/// process: some 10000 signs in a row end it.
constexpr size_t most_open_brackets = 256;  // clang's own limit
constexpr size_t most_open_signs = 4096;    // operators of one expression, and branches of a chain

struct DeepPlace {
  int line;             // of the text, from 1
  std::string message;  // what is too many there, and how many may be
};

/// The first place where more is open than may be.
std::optional<DeepPlace> find_too_deep(std::span<const Token> tokens);

/// Fails with GPUARR_ERR_ARGUMENT for text that is too large; `name` is the argument's.
void check_text_size(size_t bytes, std::string_view name);

/// Fails with GPUARR_ERR_SYNTAX for C++ that is too deep.
void check_depth(std::span<const Token> tokens, std::string_view name);

/// Both.
void check_source(std::string_view text, std::string_view name);

/// Without the byte order mark that editors put in front, which compilers know in files only.
std::string_view without_mark(std::string_view text);

}  // namespace gpuarr
