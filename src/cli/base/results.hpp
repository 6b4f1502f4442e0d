// The files that a command leaves.
#pragma once

#include <string>

#include "cli/base/progress.hpp"
#include "gpuarr.h"

namespace cli {

/// Throws if a file cannot be saved there: before the work, not after it.
void check_can_save(const std::string& path);

/// Ctrl-C waits until the file is complete.
void save(const std::string& path, const gpuarr_array* array, gpuarr_stream* stream,
          Progress& progress);

}  // namespace cli
