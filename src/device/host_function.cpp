#include "device/host_function.hpp"

#include <utility>

#include "core/error.hpp"

namespace gpuarr {

constinit thread_local bool host_function_runs = false;

void run_host_function(HostFunction function, void* user) noexcept {
  bool outer = std::exchange(host_function_runs, true);
  try {
    function(user);
  } catch (...) {
    // It runs on a thread of the driver's as often as not.
  }
  host_function_runs = outer;
}

void fail_in_host_function() {
  fail(GPUARR_ERR_ARGUMENT,
       "this was called in a function that gpuarr_stream_host_function runs, in which a GPU can be "
       "neither used nor waited for; set a flag there, and continue in another thread");
}

}  // namespace gpuarr
