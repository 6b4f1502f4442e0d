// gpuarr/blocked_files.h: check, convert, call.
#include "gpuarr/blocked_files.h"

#include "c/blocked_arguments.hpp"
#include "c/guard.hpp"
#include "team/files/files.hpp"

using namespace gpuarr;
using team::Blocked;
using team::BlockFile;

namespace {

std::string checked_path(const char* path) {
  if (path == nullptr || *path == '\0')
    fail(GPUARR_ERR_ARGUMENT, "path is {}; give a file's name", path == nullptr ? "NULL" : "\"\"");
  return path;
}

team::Format checked_format(int32_t format) {
  if (format < GPUARR_FILE_NPY || format > GPUARR_FILE_ZARR3)
    fail(GPUARR_ERR_ARGUMENT, "format is {}; give one of GPUARR_FILE_...", format);
  return static_cast<team::Format>(format);
}

Dims start_of(const Blocked& blocked, const int64_t* start) {
  Dims out;
  for (int axis = 0; axis < blocked.grid().ndim(); ++axis)
    out.push_back(start != nullptr ? start[axis] : 0);
  return out;
}

BlockFile wanted_file(team::Format format, gpuarr_dtype dtype, int32_t ndim, const int64_t* shape,
                      const int64_t* chunk) {
  if (!is_dtype(dtype)) fail(GPUARR_ERR_DTYPE, "dtype is {}; give a GPUARR_... dtype", dtype);
  const auto type = static_cast<DType>(dtype);
  const Dims extents = checked_shape(ndim, shape, size_of(type));
  Dims chunks = extents;
  if (format != team::Format::npy && chunk == nullptr && ndim > 0)
    fail(GPUARR_ERR_ARGUMENT, "chunk is NULL; give the extents of a chunk");
  for (int axis = 0; format != team::Format::npy && axis < ndim; ++axis) {
    chunks[axis] = chunk[axis];
    if (chunk[axis] < 1)
      fail(GPUARR_ERR_SHAPE, "chunk[{}] is {}; give the extent of a chunk, at least 1", axis,
           chunk[axis]);
  }
  return {format, type, extents, chunks, Order::c};
}

// Reads what is there first, so that all know the array's shape.
gpuarr_blocked* load(const std::shared_ptr<team::Team>& team, const std::string& path, int32_t ndim,
                     const int64_t* chunk, const gpuarr_blocked_options* options) {
  team::BlockedOptions wanted;
  if (ndim < 0 || ndim > max_ndim)
    fail(GPUARR_ERR_ARGUMENT, "ndim is {}; give 0 to {}", ndim, max_ndim);
  if (chunk == nullptr && ndim != 0)
    fail(GPUARR_ERR_ARGUMENT, "chunk is NULL, but ndim is {}; give as many extents, or 0", ndim);
  if (options != nullptr) wanted = deref(options, "options");
  std::shared_ptr<Blocked> made;
  const auto work = [&] {
    const BlockFile file = team::open_file(*team, path);
    if (chunk != nullptr && ndim != file.shape().size())
      fail(GPUARR_ERR_SHAPE, "ndim is {}, but the array in the file has shape {}", ndim,
           to_string(file.shape()));
    const auto own = file.chunk();
    if (options == nullptr) wanted.order = file.order();
    made = Blocked::create(team, team::layout_of(wanted, *team, file.dtype(), file.shape(),
                                                 chunk != nullptr || !own ? chunk : own->data()));
    team->agree();
    team::read_part(*made, path, file, Dims::filled(file.shape().size(), 0));
  };
  collective(*team, "gpuarr_blocked_load", 0, work, true);
  return gpuarr_blocked::make(std::move(made));
}

void transfer_part(const char* function, Blocked& blocked, const std::string& path,
                   const int64_t* start, bool writes) {
  const Dims from = start_of(blocked, start);
  const auto work = [&] {
    const BlockFile file = team::open_file(blocked.team(), path);
    team::check_part(blocked, file, from, writes);
    if (writes)
      team::write_part(path, file, blocked, from);
    else
      team::read_part(blocked, path, file, from);
  };
  collective(blocked.team(), function, blocked.digest(), work, true);
}

}  // namespace

gpuarr_status gpuarr_blocked_save(const char* path, gpuarr_blocked* blocked, int32_t format) {
  return guard(__func__, [&] {
    Blocked& b = *deref(blocked, "blocked");
    const std::string file = checked_path(path);
    const team::Format wanted = checked_format(format);
    collective(
        b.team(), "gpuarr_blocked_save", b.digest(), [&] { team::save(file, b, wanted); }, true);
  });
}

gpuarr_status gpuarr_blocked_load(gpuarr_blocked** out, gpuarr_team* team, const char* path,
                                  int32_t ndim, const int64_t* chunk,
                                  const gpuarr_blocked_options* options) {
  return guard_output(__func__, out, [&] {
    return load(deref(team, "team"), checked_path(path), ndim, chunk, options);
  });
}

gpuarr_status gpuarr_file_create(gpuarr_team* team, const char* path, int32_t format,
                                 gpuarr_dtype dtype, int32_t ndim, const int64_t* shape,
                                 const int64_t* chunk) {
  return guard(__func__, [&] {
    auto& t = *deref(team, "team");
    const std::string file = checked_path(path);
    const BlockFile wanted = wanted_file(checked_format(format), dtype, ndim, shape, chunk);
    collective(t, "gpuarr_file_create", 0, [&] { team::create_file(t, file, wanted); });
  });
}

gpuarr_status gpuarr_blocked_save_part(const char* path, gpuarr_blocked* blocked,
                                       const int64_t* start) {
  return guard(__func__, [&] {
    transfer_part("gpuarr_blocked_save_part", *deref(blocked, "blocked"), checked_path(path), start,
                  true);
  });
}

gpuarr_status gpuarr_blocked_load_part(gpuarr_blocked* blocked, const char* path,
                                       const int64_t* start) {
  return guard(__func__, [&] {
    transfer_part("gpuarr_blocked_load_part", *deref(blocked, "blocked"), checked_path(path), start,
                  false);
  });
}
