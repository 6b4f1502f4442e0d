// Running something on a stack of a known size.
#include "cuda/compile/stack.hpp"

#include <pthread.h>

#include <csignal>
#include <exception>

#include "core/error.hpp"
#include "core/watch.hpp"

namespace gpuarr::cuda {
namespace {

constexpr size_t stack_bytes = size_t{16} << 20;

struct Work {
  const std::function<void()>& body;
  Watch* watch;
  std::exception_ptr failure;
};

void* run(void* argument) {
  auto& work = *static_cast<Work*>(argument);
  const Watch::Shared watch(work.watch);
  try {
    work.body();
  } catch (...) {
    work.failure = std::current_exception();
  }
  return nullptr;
}

// With all signals blocked, so that the program's handlers stay on its own threads.
int start(pthread_t& thread, Work& work) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setstacksize(&attributes, stack_bytes);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = pthread_create(&thread, &attributes, run, &work);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

}  // namespace

void on_large_stack(const std::function<void()>& body) {
  Work work{body, Watch::current(), nullptr};
  pthread_t thread{};
  if (int error = start(thread, work); error != 0)
    throw Error(GPUARR_ERR_OUT_OF_MEMORY,
                formatted("no thread for the compiler could be started: {}", errno_text(error)),
                error);
  pthread_join(thread, nullptr);
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace gpuarr::cuda
