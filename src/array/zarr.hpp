// What a Zarr array is: uncompressed, in a directory, with a file for each chunk.
#pragma once

#include <string>

#include "array/file_box.hpp"
#include "array/scalar.hpp"

namespace gpuarr {

/// What its metadata say.
struct ZarrArray {
  int version = 2;  // of the format: 2 or 3
  DType dtype = DType::f64;
  bool big_endian = false;
  Order order = Order::c;  // of the elements of a chunk: c or f
  Dims shape;
  Dims chunk;                // all chunks have this shape, also where they reach beyond the array
  bool key_has_c = false;    // "c/0/1" instead of "0/1"
  char key_separator = '.';  // or '/'
  bool has_fill = true;      // without, chunks that are not there have zeros
  Scalar fill;               // of the dtype

  Dims grid() const;  // chunks along each axis
  /// The path of a chunk's file in the array's directory.
  std::string key(const Dims& index) const;
  /// The part of the array that the chunk has.
  Box box(const Dims& index) const;
  /// A chunk's file.
  FileArray file() const { return {dtype, big_endian, order, chunk, 0}; }

  bool operator==(const ZarrArray& other) const;
};

/// A new one as others write it: keys as "0.1" in version 2, "c/0/1" in version 3, zeros where
/// nothing is written.
ZarrArray new_zarr(int version, DType dtype, const Dims& shape, const Dims& chunk,
                   Order order = Order::c);

constexpr int64_t most_zarr_metadata = int64_t{1} << 20;  // bytes, users' attributes included

/// The file of an array's metadata: ".zarray" or "zarr.json".
const char* zarr_metadata_name(int version);

/// Reads that file's text. Fails with GPUARR_ERR_FORMAT, or with GPUARR_ERR_UNSUPPORTED for what
/// Zarr has and the library has not.
ZarrArray parse_zarr(std::string_view text, int version);

/// Writes it. Fails for what cannot be an array: with GPUARR_ERR_SHAPE, with GPUARR_ERR_DTYPE for
/// bfloat16 in version 2.
std::string format_zarr(const ZarrArray& array);

}  // namespace gpuarr
