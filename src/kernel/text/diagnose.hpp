// A compiler's complaints, told in the user's own lines.
#pragma once

#include <span>
#include <string>

#include "device/compile.hpp"
#include "kernel/text/pieces.hpp"

namespace gpuarr {

/// Throws a better error: `headline`, then each complaint with the line it is about, numbered, and
/// a mark under the column; a #line in a piece counts. Complaints about lines that are not the
/// user's bring the whole log.
[[noreturn]] void fail_explained(const CompileError& error, const std::string& headline,
                                 std::span<const UserPiece> pieces);

}  // namespace gpuarr
