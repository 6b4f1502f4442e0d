// How the CPU cuts a reduction: by its shape and layout alone, so that any number of threads
// computes the same bits.
#pragma once

#include "codegen/reduction/parameters.hpp"

namespace gpuarr {

/// Elements of a task along a row: less is not worth waking a thread for.
constexpr int64_t host_task = 65536;

/// Columns: most results side by side in a task.
int host_tile(const ReductionVariant& variant);

/// Sets blocks, and of each result or tile of results the tasks, `splits`: in rows one has so many
/// `rows` of `split_items` elements, `inner_tiles` to a row; in columns so many lines of a `tile`,
/// of `inner_tiles` along the inner kept axis.
/// However many blocks may run side by side.
void cut_for_host(const ReductionPlan& plan, int64_t resident, ReductionGeometry& geometry);

}  // namespace gpuarr
