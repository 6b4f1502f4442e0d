// Version 3 of the metadata of Zarr arrays.
#pragma once

#include <string>

#include "array/zarr.hpp"
#include "array/zarr_field.hpp"

namespace gpuarr {

ZarrArray parse_zarr_v3(const ZarrField& document);
std::string format_zarr_v3(const ZarrArray& array);

/// "[2, 3]"
std::string json_list(const Dims& dims);

}  // namespace gpuarr
