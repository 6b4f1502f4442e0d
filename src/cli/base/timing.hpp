// Times a kernel by running it many times.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/base/objects.hpp"

namespace cli {

struct Timing {
  double median = 0;  // milliseconds
  double best = 0;
  size_t runs = 0;
};

std::vector<Array> copies(const std::vector<gpuarr_array*>& arrays, gpuarr_stream* stream);

/// Times what `launch` puts into the stream, which must have been compiled. The arrays that it
/// changes are set back to `originals` before each run.
Timing time_launches(const std::function<void()>& launch, const std::vector<gpuarr_array*>& changed,
                     const std::vector<Array>& originals, gpuarr_stream* stream);

std::string timing_text(const Timing& timing);  // "median 279.3 us, best 275.1 us of 1000 runs"
std::string rate_text(const Timing& timing, int64_t bytes);  // "4301 GB/s"

}  // namespace cli
