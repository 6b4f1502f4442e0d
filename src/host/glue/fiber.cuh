// Fibers: how a CUDA thread of a block waits for others. Compiled into modules and the library,
// like abi.cuh.
#pragma once

struct gpuarr_block;

// A CUDA thread with a stack of its own. The first four are what the processor needs to go on.
struct alignas(64) gpuarr_fiber {
  void* stack;
  void* code;
  void* frame;
  void* base;
  gpuarr_fiber* next;  // the one that goes on at a barrier; null: ask the library
  gpuarr_block* block;
  gpuarr_dim index;  // threadIdx
  unsigned number;   // of the thread in its block
};

// A block that is being worked on, and another one when all threads of that have ended.
struct gpuarr_block {
  const gpuarr_launch* launch;
  unsigned char* shared;     // dynamic
  gpuarr_dim index;          // blockIdx
  int live;                  // threads that have not ended
  unsigned long long round;  // changes with the block
  void (*thread)(gpuarr_fiber* self);
  const char* stacks;  // that thread 0 may use down to here, the others each so much above
  unsigned long stride;
};

// What a lane of a warp brings to an operation, and gets from it.
struct gpuarr_exchange {
  const char* name;  // of the operation, for messages
  unsigned mask;     // lanes that take part; 0: those that come to the same line together
  int line;          // of the source, if it is known
  // Done once, by the last lane that comes: lanes[i] for each bit i of `arrived`.
  void (*complete)(gpuarr_exchange* const* lanes, unsigned arrived);
  const void* value;
  void* result;
  int argument, width;
  int missed = -1;  // the lane whose value was asked for, where it brought none
};

struct gpuarr_votes {
  unsigned zeros, others;
};

// What the library does for modules.
enum gpuarr_failure { gpuarr_failed_assertion, gpuarr_failed_index };

struct gpuarr_services {
  // Calls thread() for each thread of a block, on a fiber. It does the same thread of all blocks
  // that nobody has begun, with end_thread() after each, and is left there in the end.
  void (*run)(const gpuarr_launch* launch, void (*thread)(gpuarr_fiber* self));
  // Dynamic shared memory for blocks that are loops.
  unsigned char* (*shared)(const gpuarr_launch* launch);
  // Each of these says who runs next: others until `self` may go on, or `self` at once.
  gpuarr_fiber* (*barrier)(gpuarr_fiber* self, int predicate, int line);
  gpuarr_fiber* (*exchange)(gpuarr_fiber* self, gpuarr_exchange* mine);
  gpuarr_fiber* (*end_thread)(gpuarr_fiber* self);
  gpuarr_fiber* (*leave_ring)(gpuarr_fiber* self);
  gpuarr_fiber* (*grid_barrier)(gpuarr_fiber* self);
  gpuarr_fiber* (*yield)(gpuarr_fiber* self);
  gpuarr_votes (*votes)(const gpuarr_fiber* self);  // of the last barrier
  // Ends the launch: a function has found no room on the stack.
  void (*overflow)(gpuarr_fiber* self, gpuarr_dim block, gpuarr_dim thread);
  // Ends the launch; does not return. `what` stands behind the kernel's name, block and thread.
  void (*fail)(gpuarr_fiber* self, gpuarr_failure why, const char* what, const char* file, int line,
               gpuarr_dim block, gpuarr_dim thread);
};

// Lets `to` run; returns, as `from`, when another fiber switches to that one. It is inlined, in
// functions that are too: processors mispredict the return from a function that was entered before
// others ran. All registers that may be clobbered are, so that the compiler keeps only what it
// needs, on the stack. Rounding mode and the like (MXCSR, FPCR) are taken to be the same
// everywhere.
#if defined(__x86_64__)
inline __attribute__((always_inline)) gpuarr_fiber* gpuarr_switch(gpuarr_fiber* from,
                                                                  gpuarr_fiber* to) {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%%rsi)\n\t"
      "movq %%rax, 8(%%rsi)\n\t"
      "movq %%rbp, 16(%%rsi)\n\t"
      "movq %%rbx, 24(%%rsi)\n\t"
      "movq (%%rdi), %%rsp\n\t"
      "movq 16(%%rdi), %%rbp\n\t"
      "movq 24(%%rdi), %%rbx\n\t"
      "jmpq *8(%%rdi)\n"
      "1:"
      : "+D"(to), "+S"(from)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
        "xmm13", "xmm14", "xmm15",
#ifdef __AVX512F__
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
        "k6", "k7",
#endif
        "memory", "cc");
  return to;
}
#elif defined(__aarch64__)
inline __attribute__((always_inline)) gpuarr_fiber* gpuarr_switch(gpuarr_fiber* from,
                                                                  gpuarr_fiber* to) {
  register gpuarr_fiber* x0 __asm__("x0") = to;
  register gpuarr_fiber* x1 __asm__("x1") = from;
  asm volatile(
      "adr x2, 1f\n\t"
      "mov x3, sp\n\t"
      "stp x3, x2, [x1]\n\t"
      "stp x29, x19, [x1, 16]\n\t"
      "ldp x3, x2, [x0]\n\t"
      "ldp x29, x19, [x0, 16]\n\t"
      "mov sp, x3\n\t"
      "br x2\n"
      "1:"
      : "+r"(x0), "+r"(x1)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0",
        "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
        "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
        "v28", "v29", "v30", "v31",
#ifdef __ARM_FEATURE_SVE
        "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",
        "p14", "p15",
#endif
        "memory", "cc");
  return x0;
}
#else
#error "no fibers for this kind of processor"
#endif
