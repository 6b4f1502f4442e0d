// Tiles of a row that find out in one launch what lies before each of them (see README.md).
#pragma once

#include <cstdint>

namespace gpuarr {

/// Of the threads that take a row, _lanes of them, or of the warp: _up, _of, _scan_lanes. They want
/// the type _type_scan and _reduce(_p, a, b).
extern const char* const cuda_lanes_text;

/// _before_tile(_p, _r, _t, total): what lies before tile _t of row _r, whose own total is given;
/// it means nothing for the first. All 256 threads call it, and are together in between. It wants
/// _chunks, _per_row and _states of the parameters, as ScanGeometry has them, and states of 0.
extern const char* const cuda_chain_text;

/// _fetch_ahead(from): asks for the tile there, which the block of a later tile will read: so
/// memory is busy while blocks wait for each other. Wants _tile.
extern const char* const cuda_ahead_text;

/// How many tiles later that one is best: so near that it is still in the cache when it is wanted,
/// so far that it has come by then.
int64_t tiles_ahead(int64_t tile_bytes, int processors, int64_t cache_bytes);

}  // namespace gpuarr
