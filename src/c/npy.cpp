// gpuarr/npy.h: check, convert, call.
#include "gpuarr/npy.h"

#include "array/npy.hpp"
#include "c/guard.hpp"
#include "c/handles.hpp"
#include "ops/base/copy.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_npy_load(gpuarr_array** out, gpuarr_device* device, const char* path,
                              gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    if (path == nullptr) fail(GPUARR_ERR_ARGUMENT, "path is NULL; give a file's name");
    return wrap(load_npy(path, work));
  });
}

gpuarr_status gpuarr_npy_save(const char* path, const gpuarr_array* array, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    if (path == nullptr) fail(GPUARR_ERR_ARGUMENT, "path is NULL; give a file's name");
    const Array& from = deref(array, "array");
    Stream& work = stream_of(stream, from.device());
    save_npy(path, contiguous(from, npy_order(from), work), work);
  });
}
