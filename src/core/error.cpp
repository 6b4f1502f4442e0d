#include "core/error.hpp"

#include <system_error>

namespace gpuarr {

std::string errno_text(int code) { return std::generic_category().message(code); }

namespace {

struct StatusName {
  gpuarr_status status;
  const char* name;
};

constexpr StatusName status_names[] = {
    {GPUARR_OK, "GPUARR_OK"},
    {GPUARR_ERR_ARGUMENT, "GPUARR_ERR_ARGUMENT"},
    {GPUARR_ERR_SHAPE, "GPUARR_ERR_SHAPE"},
    {GPUARR_ERR_DTYPE, "GPUARR_ERR_DTYPE"},
    {GPUARR_ERR_AXIS, "GPUARR_ERR_AXIS"},
    {GPUARR_ERR_BROADCAST, "GPUARR_ERR_BROADCAST"},
    {GPUARR_ERR_SYNTAX, "GPUARR_ERR_SYNTAX"},
    {GPUARR_ERR_TYPE, "GPUARR_ERR_TYPE"},
    {GPUARR_ERR_DEVICE, "GPUARR_ERR_DEVICE"},
    {GPUARR_ERR_OVERLAP, "GPUARR_ERR_OVERLAP"},
    {GPUARR_ERR_EMPTY, "GPUARR_ERR_EMPTY"},
    {GPUARR_ERR_NOT_FOUND, "GPUARR_ERR_NOT_FOUND"},
    {GPUARR_ERR_INDEX, "GPUARR_ERR_INDEX"},
    {GPUARR_ERR_OUT_OF_MEMORY, "GPUARR_ERR_OUT_OF_MEMORY"},
    {GPUARR_ERR_COMPILE, "GPUARR_ERR_COMPILE"},
    {GPUARR_ERR_NO_COMPILER, "GPUARR_ERR_NO_COMPILER"},
    {GPUARR_ERR_LOAD, "GPUARR_ERR_LOAD"},
    {GPUARR_ERR_NO_DEVICE, "GPUARR_ERR_NO_DEVICE"},
    {GPUARR_ERR_NO_DRIVER, "GPUARR_ERR_NO_DRIVER"},
    {GPUARR_ERR_DRIVER_TOO_OLD, "GPUARR_ERR_DRIVER_TOO_OLD"},
    {GPUARR_ERR_DRIVER, "GPUARR_ERR_DRIVER"},
    {GPUARR_ERR_FORKED, "GPUARR_ERR_FORKED"},
    {GPUARR_ERR_FAULT, "GPUARR_ERR_FAULT"},
    {GPUARR_ERR_ASSERT, "GPUARR_ERR_ASSERT"},
    {GPUARR_ERR_RACE, "GPUARR_ERR_RACE"},
    {GPUARR_ERR_SYNC, "GPUARR_ERR_SYNC"},
    {GPUARR_ERR_UNSUPPORTED, "GPUARR_ERR_UNSUPPORTED"},
    {GPUARR_ERR_NO_LIBRARY, "GPUARR_ERR_NO_LIBRARY"},
    {GPUARR_ERR_IO, "GPUARR_ERR_IO"},
    {GPUARR_ERR_FORMAT, "GPUARR_ERR_FORMAT"},
    {GPUARR_ERR_INTERNAL, "GPUARR_ERR_INTERNAL"},
};

}  // namespace

const char* status_name(gpuarr_status status) noexcept {
  for (const StatusName& row : status_names)
    if (row.status == status) return row.name;
  return "GPUARR_ERR_UNKNOWN";
}

}  // namespace gpuarr
