// Switching from stack to stack, as the sanitizers have to be told of it.
#pragma once

#include <cstddef>

#include "host/glue/abi.cuh"
#include "host/glue/fiber.cuh"

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace gpuarr::host {

#if defined(__SANITIZE_ADDRESS__)

/// A stack, as the sanitizer knows it.
struct WatchedStack {
  const void* bottom = nullptr;
  size_t bytes = 0;
  void* fake = nullptr;

  void make(const void* low, size_t size) { bottom = low, bytes = size; }
  void make_of_thread() {
    pthread_attr_t attributes;
    void* low = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    bottom = low;
  }
  void forget() { __asan_unpoison_memory_region(bottom, bytes); }
  void leave(const WatchedStack& to, bool for_good) {
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake, to.bottom, to.bytes);
  }
  void arrive() { __sanitizer_finish_switch_fiber(fake, nullptr, nullptr), fake = nullptr; }
};
constexpr bool stacks_are_watched = true;

#elif defined(__SANITIZE_THREAD__)

struct WatchedStack {
  void* fiber = nullptr;

  void make(const void*, size_t) { fiber = __tsan_create_fiber(0); }
  void make_of_thread() { fiber = __tsan_get_current_fiber(); }
  void forget() {
    __tsan_destroy_fiber(fiber);
    fiber = nullptr;
  }
  static void leave(const WatchedStack& to, bool) { __tsan_switch_to_fiber(to.fiber, 0); }
  static void arrive() {}
};
constexpr bool stacks_are_watched = true;

#else

struct WatchedStack {
  static void make(const void*, size_t) {}
  static void make_of_thread() {}
  static void forget() {}
  static void leave(const WatchedStack&, bool) {}
  static void arrive() {}
};
constexpr bool stacks_are_watched = false;

#endif

// Whether functions look if there is stack for them (see glue/sync.cuh).
#if defined(__x86_64__) && defined(__GLIBC__)
constexpr bool stacks_are_limited = !stacks_are_watched;
#else
constexpr bool stacks_are_limited = false;
#endif

/// Where the running stack ends for them; null for nowhere.
inline void limit_stack([[maybe_unused]] const void* end) {
#if defined(__x86_64__)
  if constexpr (stacks_are_limited) asm volatile("movq %0, %%fs:0x70" : : "r"(end));
#endif
}

inline const void* stack_limit() {
  const void* end = nullptr;
#if defined(__x86_64__)
  if constexpr (stacks_are_limited) asm volatile("movq %%fs:0x70, %0" : "=r"(end));
#endif
  return end;
}

}  // namespace gpuarr::host
