// The struct that a scan's kernels take, and how the scan is cut into pieces of work.
#pragma once

#include <string>

#include "codegen/layout/fields.hpp"
#include "codegen/scan/plan.hpp"

namespace gpuarr {

/// How a scan is cut. Depends on sizes; of the device only where that is said.
struct ScanGeometry {
  int64_t chunks = 1;   // of the scanned axis
  int64_t chunk = 0;    // elements of one
  int64_t tasks = 1;    // GPU: blocks
  int64_t group = 1;    // CPU: tasks that are done as one
  int64_t cut = 1;      // columns: pieces of the inner kept axis
  int64_t width = 1;    // columns: of such a piece
  int64_t states = 0;   // bytes of what chunks tell each other
  int64_t per_row = 0;  // GPU, rows: words of 8 bytes of them for a row
  int64_t ahead = 0;    // GPU, rows: how many tiles later the one is that a block asks for
  int64_t prefix_tasks = 0;
};

/// What a cut knows of the device.
struct ScanDevice {
  int processors = 1;
  int64_t cache_bytes = 0;
};

/// How many tiles later the one is that a block asks for: so near that it is still in the cache
/// when it is wanted, so far that it has come by then.
int64_t tiles_ahead(int64_t tile_bytes, int processors, int64_t cache_bytes);

/// Cuts the scan, and says in the plan whether there are chunks. On a GPU the columns' chunks are
/// so many that they keep the processors busy.
ScanGeometry cut_scan(ScanPlan& plan, int type_bytes, const ScanDevice& device);

size_t scan_parameter_bytes(const ScanPlan& plan);
void write_scan_parameters(std::byte* out, const ScanPlan& plan, std::span<const Operand> operands,
                           const ScanGeometry& geometry, void* states);
/// The struct `_params`, with what the algorithms want to know of the plan.
std::string scan_parameter_struct(const ScanVariant& variant);

}  // namespace gpuarr
