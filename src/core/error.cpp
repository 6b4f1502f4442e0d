#include "core/error.hpp"

#include <system_error>

namespace gpuarr {

std::string errno_text(int code) { return std::generic_category().message(code); }

const char* status_name(gpuarr_status status) noexcept {
  switch (status) {
    case GPUARR_OK:
      return "GPUARR_OK";
    case GPUARR_ERR_ARGUMENT:
      return "GPUARR_ERR_ARGUMENT";
    case GPUARR_ERR_SHAPE:
      return "GPUARR_ERR_SHAPE";
    case GPUARR_ERR_DTYPE:
      return "GPUARR_ERR_DTYPE";
    case GPUARR_ERR_AXIS:
      return "GPUARR_ERR_AXIS";
    case GPUARR_ERR_BROADCAST:
      return "GPUARR_ERR_BROADCAST";
    case GPUARR_ERR_SYNTAX:
      return "GPUARR_ERR_SYNTAX";
    case GPUARR_ERR_TYPE:
      return "GPUARR_ERR_TYPE";
    case GPUARR_ERR_DEVICE:
      return "GPUARR_ERR_DEVICE";
    case GPUARR_ERR_OVERLAP:
      return "GPUARR_ERR_OVERLAP";
    case GPUARR_ERR_OUT_OF_MEMORY:
      return "GPUARR_ERR_OUT_OF_MEMORY";
    case GPUARR_ERR_COMPILE:
      return "GPUARR_ERR_COMPILE";
    case GPUARR_ERR_NO_COMPILER:
      return "GPUARR_ERR_NO_COMPILER";
    case GPUARR_ERR_LOAD:
      return "GPUARR_ERR_LOAD";
    case GPUARR_ERR_NO_DEVICE:
      return "GPUARR_ERR_NO_DEVICE";
    case GPUARR_ERR_NO_DRIVER:
      return "GPUARR_ERR_NO_DRIVER";
    case GPUARR_ERR_DRIVER_TOO_OLD:
      return "GPUARR_ERR_DRIVER_TOO_OLD";
    case GPUARR_ERR_DRIVER:
      return "GPUARR_ERR_DRIVER";
    case GPUARR_ERR_FORKED:
      return "GPUARR_ERR_FORKED";
    case GPUARR_ERR_UNSUPPORTED:
      return "GPUARR_ERR_UNSUPPORTED";
    case GPUARR_ERR_NO_LIBRARY:
      return "GPUARR_ERR_NO_LIBRARY";
    case GPUARR_ERR_IO:
      return "GPUARR_ERR_IO";
    case GPUARR_ERR_FORMAT:
      return "GPUARR_ERR_FORMAT";
    case GPUARR_ERR_INTERNAL:
      return "GPUARR_ERR_INTERNAL";
    default:
      return "GPUARR_ERR_UNKNOWN";
  }
}

}  // namespace gpuarr
