// Packs of elements in CUDA C++.
#pragma once

namespace gpuarr {

/// _pack<T, w>: w elements that are loaded at once, aligned to their size or 16 bytes.
extern const char* const cuda_pack_text;

/// _span<T, w>: a pack that begins anywhere is cut out of the aligned granules of 16 bytes that
/// hold it. Loading and cutting are apart, so that no load waits for the data of another.
extern const char* const cuda_span_text;

}  // namespace gpuarr
