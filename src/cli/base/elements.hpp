// An array's elements as text, as NumPy prints them.
#pragma once

#include <string>

#include "gpuarr.h"

namespace cli {

/// "[[0 1 2]\n [3 4 5]]"; of a large array the ends of each axis. Waits for the stream.
std::string elements_text(const gpuarr_array* array, gpuarr_stream* stream);

}  // namespace cli
