// What a compiled raw module shows to the library, and what a launch hands to it. Compiled into
// both: the library includes this file, and modules have its text in front.
#pragma once

struct gpuarr_dim {
  unsigned x, y, z;
};

struct gpuarr_services;

// One launch, read by all threads that work on it.
struct gpuarr_launch {
  const unsigned char* arguments;  // packed as the parameters' offsets say
  gpuarr_dim grid, block, cluster;
  unsigned shared_bytes;  // dynamic
  int cooperative;
  const gpuarr_services* services;  // what the library does for modules; run_raw() fills it in
  void* state;                      // the library's own
  int stop;                         // not 0: something failed, and no more blocks begin
};

struct gpuarr_parameter {
  const char* type;  // holds the type's name as the compiler spells it: "[with T = const float*]"
  long long offset, bytes;
};

struct gpuarr_kernel {
  const char* name;  // as it is asked for: "saxpy", "scale<float, 4>"
  void (*blocks)(const void* launch, long long first, long long last);  // a Body, see threads.hpp
  int threads;  // 0: a loop; 1: fibers with barriers only; 2: and warps
  int parameter_count;
  const gpuarr_parameter* parameters;
  long long argument_bytes;
  int max_threads;  // from __launch_bounds__; 0 for none
  // If not null, does the same with loops in the place of fibers (see split/README.md), for grids
  // of at most gpuarr_most_split blocks.
  void (*split)(const void* launch, long long first, long long last);
};

constexpr gpuarr_dim gpuarr_most_split = {0x7ffff000 / 1024, 65535, 65535};

struct gpuarr_global {
  const char* name;
  void* address;
  long long bytes;
  const char* type;  // of its elements, as for parameters
};

// extern "C" const gpuarr_table gpuarr_module_table: each module has one.
struct gpuarr_table {
  int version;  // gpuarr_abi_version
  int kernel_count, global_count;
  const gpuarr_kernel* kernels;
  const gpuarr_global* globals;
};

constexpr int gpuarr_abi_version = 3;
