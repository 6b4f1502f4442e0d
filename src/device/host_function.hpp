// Functions of a user's that run in the order of a stream. CUDA's driver runs them on a thread of
// its own, and hangs or fails where they call it.
#pragma once

namespace gpuarr {

using HostFunction = void (*)(void* user);

extern constinit thread_local bool host_function_runs;

/// Calls function(user). An exception that leaves it ends here: nobody is there to catch it.
void run_host_function(HostFunction function, void* user) noexcept;

[[noreturn]] void fail_in_host_function();

/// Where a GPU is used, or waited for.
inline void check_host_function() {
  if (host_function_runs) [[unlikely]]
    fail_in_host_function();
}

}  // namespace gpuarr
