// What instrumented code of a module and the library know of each other. Compiled into both.
#pragma once

struct gpuarr_fiber;

enum gpuarr_access {
  gpuarr_read = 0,
  gpuarr_write = 1,
  gpuarr_atomic = 2,
  gpuarr_volatile = 4,
  gpuarr_acquires = 8,  // stronger than CUDA's own atomic operations, which are relaxed
  gpuarr_releases = 16,
  gpuarr_misaligned = 32
};

// Memory that may be used, within a page.
struct gpuarr_extent {
  unsigned long long begin, end;
};

// The checks of one launch. Only one thread works on it.
struct gpuarr_checker {
  static constexpr int extents = 512;
  __attribute__((always_inline, no_sanitize("thread"))) static constexpr unsigned extent_of(
      unsigned long long address) {
    return (unsigned)(address >> 12 ^ address >> 21) & (extents - 1);
  }
  gpuarr_extent known[extents];  // all empty if each access is to be asked for
  void (*access)(gpuarr_checker* checker, unsigned long long address, unsigned long long bytes,
                 int access, const void* code);
  void (*fence)(gpuarr_checker* checker);
  void (*division)(gpuarr_checker* checker, const char* file, unsigned line);  // by zero
  gpuarr_fiber* returned;  // the last thread that came to a `return` of its kernel
};
