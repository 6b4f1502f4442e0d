// gpuarr/objects.h: check, convert, call.
#include "gpuarr/objects.h"

#include "c/guard.hpp"
#include "c/handles.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_objects_track(int32_t on) {
  return guard(__func__, [&] {
    if (on != 0 && on != 1) fail(GPUARR_ERR_ARGUMENT, "on is {}; give 1 to start, 0 to stop", on);
    set_tracking(on == 1);
  });
}

int64_t gpuarr_objects_report(char* buffer, int64_t capacity) {
  std::string report;
  guard(__func__, [&] { report = objects_report(); });
  return copy_text(report, buffer, capacity);
}
