#include "gpuarr/log.h"

#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "core/log.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_log_set(const char* setting) {
  return guard(__func__, [&] { set_log(checked_text(setting, "setting")); });
}

gpuarr_status gpuarr_log_set_receiver(gpuarr_log_receiver receiver, void* user) {
  return guard(__func__, [&] { set_log_receiver(receiver, user); });
}
