// The header of a .npy file: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <string>
#include <string_view>

#include "array/file_box.hpp"

namespace gpuarr {

/// What the file of an array begins with, in format version 1.0, up to its elements. Fails with
/// GPUARR_ERR_DTYPE for what NumPy lacks.
std::string format_npy_header(const FileArray& header);

/// Reads the dictionary, which is a Python literal. Fails with GPUARR_ERR_FORMAT, GPUARR_ERR_DTYPE
/// or GPUARR_ERR_SHAPE.
FileArray parse_npy_header(std::string_view dictionary);

/// Reads up to the elements, and checks that they are all there.
FileArray read_npy_header(InputFile& file);

}  // namespace gpuarr
