#include "team/files/block_file.hpp"

#include <sys/stat.h>

#include "core/error.hpp"
#include "core/log.hpp"

namespace gpuarr::team {
namespace {

::gpuarr::Box in_file(const Box& box) { return {box.low, box.extents()}; }

bool is_directory(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

}  // namespace

BlockFile::BlockFile(Format format, DType dtype, const Dims& shape, const Dims& chunk, Order order)
    : format_(format) {
  if (is_zarr()) {
    zarr_ = new_zarr(static_cast<int>(format), dtype, shape, chunk, order);
    return;
  }
  npy_.dtype = dtype;
  npy_.shape = shape;
  npy_.order = order;
}

BlockFile BlockFile::open(const std::string& path) {
  BlockFile out;
  if (is_directory(path)) {
    out.zarr_ = open_zarr(path);
    out.format_ = static_cast<Format>(out.zarr_.version);
  } else {
    out.npy_ = NpyInput(path).array();
  }
  return out;
}

void BlockFile::create(const Staged& names, const BlockFile& wanted) {
  if (wanted.is_zarr()) {
    check_zarr_place(names.path, Existing::replace);
    create_zarr(names.temporary, wanted.zarr_, Existing::refuse, Sync::yes);
  } else {
    NpyOutput::create(names.temporary, wanted.npy_);
  }
}

void BlockFile::publish(const Staged& names, const BlockFile& wanted) {
  if (wanted.is_zarr())
    publish_zarr(names, Existing::replace, Sync::yes);
  else
    names.publish_file(Sync::yes);
}

void BlockFile::discard(const Staged& names, const BlockFile& wanted) noexcept {
  try {
    if (wanted.is_zarr())
      remove_zarr(names.temporary);
    else
      names.discard_file();
  } catch (const std::exception& e) {
    log(Topic::library, "{} is left behind: {}", names.temporary, e.what());
  }
}

DType BlockFile::dtype() const { return is_zarr() ? zarr_.dtype : npy_.dtype; }

const Dims& BlockFile::shape() const { return is_zarr() ? zarr_.shape : npy_.shape; }

Order BlockFile::order() const { return is_zarr() ? zarr_.order : npy_.order; }

std::optional<Dims> BlockFile::chunk() const {
  return is_zarr() ? std::optional(zarr_.chunk) : std::nullopt;
}

void BlockFile::check_chunks(const Box& box) const {
  for (int axis = 0; is_zarr() && axis < box.ndim(); ++axis) {
    const int64_t chunk = zarr_.chunk[axis];
    const bool ends = box.high[axis] % chunk == 0 || box.high[axis] == zarr_.shape[axis];
    if (box.low[axis] % chunk != 0 || !ends)
      fail(GPUARR_ERR_LAYOUT,
           "a block has the indices {} to {} of axis {} in the file, which are not whole chunks of "
           "{}; redistribute it to blocks of whole chunks",
           box.low[axis], box.high[axis], axis, chunk);
  }
}

void BlockFile::read(const std::string& path, const Box& box, void* first,
                     const Dims& strides) const {
  if (is_zarr())
    read_zarr(path, zarr_, in_file(box), first, strides);
  else
    NpyInput(path).read(in_file(box), first, strides);
}

void BlockFile::write(const std::string& path, const Box& box, const void* first,
                      const Dims& strides) const {
  if (!is_zarr()) {
    NpyOutput file(path);
    file.write(in_file(box), first, strides);
    return file.finish(Sync::yes);
  }
  Dims counts;
  for (int axis = 0; axis < box.ndim(); ++axis)
    counts.push_back((box.extent(axis) - 1) / zarr_.chunk[axis] + 1);
  for (int64_t k = 0; k < size_of(counts); ++k) {
    Dims index = counts;
    int64_t rest = k;
    int64_t offset = 0;
    for (int axis = box.ndim() - 1; axis >= 0; --axis) {
      const int64_t at = rest % counts[axis];
      rest /= counts[axis];
      index[axis] = box.low[axis] / zarr_.chunk[axis] + at;
      offset += at * zarr_.chunk[axis] * strides[axis];
    }
    const auto* const element = static_cast<const char*>(first) + offset * size_of(dtype());
    write_zarr_chunk(path, zarr_, index, element, strides, Sync::yes);
  }
}

}  // namespace gpuarr::team
