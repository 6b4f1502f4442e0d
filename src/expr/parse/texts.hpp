// Texts that were parsed: each once, as long as it is used.
#pragma once

#include <memory>
#include <string_view>

#include "expr/parse/parsed.hpp"

namespace gpuarr::expr {

/// The text, parsed now or before. Fails as parse() does, and for more text than there may be. A
/// thread finds what it used lately without a lock.
std::shared_ptr<const Parsed> parsed(std::string_view text);

}  // namespace gpuarr::expr
