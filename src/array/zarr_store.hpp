// Zarr arrays in directories: their metadata, and the files of their chunks.
#pragma once

#include <string>

#include "array/zarr.hpp"
#include "core/staged.hpp"

namespace gpuarr {

/// Reads the metadata of the array in a directory, of either version.
ZarrArray open_zarr(const std::string& directory);

/// What may be where an array is to be written: nothing, or an array that is replaced. Anything
/// else that a directory holds is never removed.
enum class Existing { refuse, replace };

/// Fails with GPUARR_ERR_IO where an array cannot be created, or published, for what is there.
void check_zarr_place(const std::string& directory, Existing existing);

/// Makes the directory if need be, removes an array that is there, and writes the metadata. Until
/// its chunks are written too, the array is one of fill values: write it under a temporary name.
void create_zarr(const std::string& directory, const ZarrArray& array, Existing existing,
                 Sync sync);

/// Puts an array that was created and written under names.temporary in its place, and removes one
/// that was there: a reader finds the one or the other.
void publish_zarr(const Staged& names, Existing existing, Sync sync);

/// Removes the array's files, and the directory if nothing else is in it.
void remove_zarr(const std::string& directory);

// Of chunks, `first` is the first element in host memory, `strides` are in elements. All that is
// said of boxes in array/file_box.hpp holds here. Any number of threads and processes may read and
// write at the same time, each chunk by one of them.

/// Reads a part of a chunk; the box counts from the chunk's own first element. A chunk that is not
/// there is all fill value.
void read_zarr_chunk(const std::string& directory, const ZarrArray& array, const Dims& index,
                     const Box& box, void* first, const Dims& strides);

/// Reads a part of the array, whatever chunks that is in.
void read_zarr(const std::string& directory, const ZarrArray& array, const Box& box, void* first,
               const Dims& strides);

/// Writes the elements of the array that the chunk has, array.box(index), and the fill value behind
/// them: to a temporary name, which is renamed.
void write_zarr_chunk(const std::string& directory, const ZarrArray& array, const Dims& index,
                      const void* first, const Dims& strides, Sync sync);

}  // namespace gpuarr
