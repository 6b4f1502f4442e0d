// A compiler's complaints, told in the user's own lines.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "device/compile.hpp"

namespace gpuarr {

/// A piece of the user's text, by the name that it has in messages.
using UserPiece = std::pair<const char*, std::string_view>;

/// Throws a better error: `headline`, then each complaint with the line it is about, numbered, and
/// a mark under the column. Complaints about lines that are not the user's bring the whole log.
[[noreturn]] void fail_explained(const CompileError& error, const std::string& headline,
                                 std::span<const UserPiece> pieces);

}  // namespace gpuarr
