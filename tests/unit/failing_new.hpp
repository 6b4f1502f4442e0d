// operator new that fails when it is told to: for one source of a program, which includes this.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

// How many allocations go well before all others fail; negative: none fails.
inline constinit std::atomic<int> good_allocations = -1;

void* operator new(size_t bytes) {
  if (good_allocations == 0) throw std::bad_alloc();
  if (good_allocations > 0) --good_allocations;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}
// As the standard library has it, but sanitizers have one of their own.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
// Inlined, g++ 13 takes free() for what does not belong to operator new.
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, size_t) noexcept { std::free(block); }
