#include "core/dtype.hpp"

#include "c/guard.hpp"
#include "c/handles.hpp"

using namespace gpuarr;

int64_t gpuarr_dtype_size(gpuarr_dtype dtype) {
  if (!is_dtype(dtype)) return 0;
  return size_of(static_cast<DType>(dtype));
}

const char* gpuarr_dtype_name(gpuarr_dtype dtype) {
  if (!is_dtype(dtype)) return "unknown";
  return name(static_cast<DType>(dtype));
}

gpuarr_status gpuarr_dtype_from_name(gpuarr_dtype* out, const char* name) {
  return guard_output(__func__, out, [&] {
    if (name == nullptr) fail(GPUARR_ERR_ARGUMENT, "name is NULL; give a dtype's name");
    auto found = find_dtype(name);
    if (!found)
      fail(GPUARR_ERR_TYPE, "name is \"{}\", which is not a dtype; say \"float32\"", name);
    return static_cast<gpuarr_dtype>(*found);
  });
}
