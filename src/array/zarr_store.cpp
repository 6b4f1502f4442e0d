// Zarr arrays in directories: reading metadata, and the files of chunks.
#include "array/zarr_store.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "core/error.hpp"

namespace gpuarr {
namespace {

std::string path_in(const std::string& directory, const std::string& name) {
  return directory + (directory.ends_with('/') ? "" : "/") + name;
}

bool is_there(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

[[noreturn]] void fail_without_metadata(const std::string& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) fail_errno("it cannot be opened");
  if (!S_ISDIR(status.st_mode))
    fail(GPUARR_ERR_FORMAT, "it is no directory, as a Zarr array is; unpack one in a .zip");
  if (is_there(path_in(directory, ".zgroup")))
    fail(GPUARR_ERR_UNSUPPORTED, "it is a group; give the directory of an array in it");
  fail(GPUARR_ERR_FORMAT, "it is no Zarr array: it has neither .zarray nor zarr.json");
}

void check_size(const InputFile& file, const ZarrArray& array) {
  const int64_t bytes = array.file().bytes();
  if (file.size() != bytes)
    fail(GPUARR_ERR_FORMAT,
         "it has {} bytes, and a chunk of {} {} has {}: it is damaged, or "
         "compressed",
         file.size(), to_string(array.chunk), name(array.dtype), bytes);
}

// Null for one that is not there, if the array itself still is.
std::optional<InputFile> open_chunk(const std::string& directory, const ZarrArray& array,
                                    const std::string& path) {
  try {
    return std::optional<InputFile>(std::in_place, path.c_str());
  } catch (const Error& error) {
    if (error.native() != ENOENT) throw;
  }
  if (!is_there(path_in(directory, zarr_metadata_name(array.version))))
    fail(GPUARR_ERR_IO, "it is gone, and so are the array's metadata");
  return std::nullopt;
}

// The directories between the array's own and a chunk's file.
void make_directories(const std::string& directory, const std::string& key) {
  if (key.find('/') == key.npos || is_there(directory_of(path_in(directory, key)))) return;
  for (size_t slash = key.find('/'); slash != key.npos; slash = key.find('/', slash + 1))
    if (mkdir(path_in(directory, key.substr(0, slash)).c_str(), 0777) != 0 && errno != EEXIST)
      fail_errno("its directory cannot be made");
}

}  // namespace

ZarrArray open_zarr(const std::string& directory) {
  for (const int version : {3, 2}) {
    const std::string path = path_in(directory, zarr_metadata_name(version));
    if (!is_there(path)) continue;
    return about(path.c_str(),
                 [&] { return parse_zarr(read_text(path.c_str(), most_zarr_metadata), version); });
  }
  return about(directory.c_str(), [&]() -> ZarrArray { fail_without_metadata(directory); });
}

void read_zarr_chunk(const std::string& directory, const ZarrArray& array, const Dims& index,
                     const Box& box, void* first, const Dims& strides) {
  array.box(index);
  const std::string path = path_in(directory, array.key(index));
  about(path.c_str(), [&] {
    check_box(box, array.chunk);
    const auto file = open_chunk(directory, array, path);
    if (!file) return fill_box(array.dtype, box.extents, first, strides, array.fill.bytes);
    check_size(*file, array);
    read_box(*file, array.file(), box, first, strides);
  });
}

void read_zarr(const std::string& directory, const ZarrArray& array, const Box& box, void* first,
               const Dims& strides) {
  check_box(box, array.shape);
  if (size_of(box.extents) == 0) return;
  const int ndim = array.shape.size();
  Box part = box;  // of the box, the one in the chunk
  for (;;) {
    Dims index;
    Box in_chunk;
    auto* to = static_cast<char*>(first);
    for (int i = 0; i < ndim; ++i) {
      const int64_t start = part.start[i], done = start - box.start[i];
      index.push_back(start / array.chunk[i]);
      in_chunk.start.push_back(start % array.chunk[i]);
      part.extents[i] = std::min(array.chunk[i] - in_chunk.start[i], box.extents[i] - done);
      if (done > 0) to += done * strides[i] * size_of(array.dtype);
    }
    in_chunk.extents = part.extents;
    read_zarr_chunk(directory, array, index, in_chunk, to, strides);
    int axis = ndim - 1;
    for (; axis >= 0; --axis) {
      part.start[axis] += part.extents[axis];
      if (part.start[axis] < box.start[axis] + box.extents[axis]) break;
      part.start[axis] = box.start[axis];
    }
    if (axis < 0) return;
  }
}

void write_zarr_chunk(const std::string& directory, const ZarrArray& array, const Dims& index,
                      const void* first, const Dims& strides, Sync sync) {
  const Dims extents = array.box(index).extents;
  const std::string key = array.key(index);
  const std::string path = path_in(directory, key);
  about(path.c_str(), [&] {
    make_directories(directory, key);
    OutputFile file(path.c_str());
    if (extents == array.chunk)
      write_box(file.fd(), array.file(), whole_box(extents), first, strides);
    else
      write_padded(file.fd(), array.file(), extents, first, strides, array.fill.bytes);
    file.commit(sync);
  });
}

}  // namespace gpuarr
