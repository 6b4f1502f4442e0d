// The fill value of a Zarr array: the element of chunks that are not there.
#pragma once

#include "array/zarr.hpp"
#include "array/zarr_field.hpp"

namespace gpuarr {

/// Sets the fill value of an array whose version and dtype are known.
void read_zarr_fill(const ZarrField& field, ZarrArray& array);

/// As JSON.
std::string format_zarr_fill(const ZarrArray& array);

}  // namespace gpuarr
