// Sources as files in $GPUARR_SOURCE_DIR, so that profilers and debuggers have lines to show.
#pragma once

#include <optional>

#include "kernel/cache/key.hpp"

namespace gpuarr {

/// The source as it is compiled from its file, which is written first: NAME_DIGEST.cu, or .cpp for
/// the CPU. The file becomes a part of the key, since the compiled code names it. Nothing if no
/// directory is set, or if the file cannot be written, which only the log tells.
///
/// Lines are those of the file, not of the user's pieces, so that the compiler's complaints must be
/// taken from the source as it was.
std::optional<Source> as_file(const Device& device, const Source& source, CacheKey& key);

/// The same for a user's own text. Not where checks name its lines while it runs.
std::optional<RawSource> as_file(const Device& device, const RawSource& source, CacheKey& key);

}  // namespace gpuarr
