// A thread for one thing that may take for ever.
#include "cuda/libraries/helper.hpp"

#include <csignal>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace gpuarr::cuda {

// With all signals blocked, so that the program's handlers stay on its own threads.
Helper::Helper(std::function<void()> work) : work_(std::move(work)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = 0;
  try {
    thread_ = std::thread([this] {
      try {
        work_();
      } catch (...) {
        failure_ = std::current_exception();
      }
      done_.store(true, std::memory_order_release);
    });
  } catch (const std::system_error& e) {
    error = e.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    throw Error(GPUARR_ERR_OUT_OF_MEMORY,
                formatted("no thread for NCCL could be started: {}", errno_text(error)), error);
}

std::exception_ptr Helper::join() noexcept {
  if (thread_.joinable()) thread_.join();
  return failure_;
}

}  // namespace gpuarr::cuda
