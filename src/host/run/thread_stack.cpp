#include "host/run/thread_stack.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

#include "host/glue/fiber_switch.hpp"

namespace gpuarr::host {
namespace {

// For what cannot look, and for what is said of a launch that has failed.
constexpr size_t reserve = size_t{64} << 10;

struct Extent {
  const std::byte* low = nullptr;
  const std::byte* high = nullptr;
};

Extent find_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  const auto* begin = static_cast<const std::byte*>(low);
  return {begin, begin + bytes};
}

const void* end_of_stack() {
  if (!stacks_are_limited) return nullptr;
  thread_local const Extent stack = find_stack();
  const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
  if (here < stack.low || here >= stack.high) return nullptr;
  return stack.low + std::min<size_t>(reserve, static_cast<size_t>(stack.high - stack.low) / 4);
}

}  // namespace

LimitedStack::LimitedStack() : before_(stack_limit()) { limit_stack(end_of_stack()); }

LimitedStack::~LimitedStack() { limit_stack(before_); }

}  // namespace gpuarr::host
