// Barriers of blocks and of the grid, and what ends a launch.

// With GPUARR_CHECK_SYNC everything that waits says where it stands.
#ifdef GPUARR_CHECK_SYNC
#define GPUARR_LINE __builtin_LINE()
#else
#define GPUARR_LINE 0
#endif

namespace gpuarr_glue {

// Functions compare what they need with what the C library keeps there for the thread, and call
// __morestack() where that is not enough: what -fsplit-stack has compilers do.
inline __attribute__((always_inline)) void limit_stack([[maybe_unused]] const char* end) {
#ifdef GPUARR_LIMIT_STACKS
  __asm__ volatile("movq %0, %%fs:0x70" : : "r"(end));
#endif
}

inline __attribute__((always_inline)) gpuarr_fiber* switch_to(gpuarr_fiber* me,
                                                              gpuarr_fiber* next) {
  me = gpuarr_switch(me, next);
  limit_stack(me->block->stacks + me->number * me->block->stride);
  return me;
}

inline __attribute__((always_inline)) gpuarr_fiber* let_run(gpuarr_fiber* me, gpuarr_fiber* next) {
  return next == me ? me : switch_to(me, next);
}

}  // namespace gpuarr_glue

inline __attribute__((always_inline)) void __syncthreads(int line = GPUARR_LINE) {
  gpuarr_fiber* self = gpuarr_glue::self;
  gpuarr_fiber* next =
      self->next != nullptr ? self->next : gpuarr_glue::services->barrier(self, 0, line);
  gpuarr_glue::go_on_as(gpuarr_glue::let_run(self, next));
}

namespace gpuarr_glue {

// Until the thread is to do its part of another block. Most often all end between the same two
// barriers; a thread that is asked again before the others have ended leaves the ring.
inline __attribute__((always_inline)) void end_thread(gpuarr_fiber* me) {
  gpuarr_fiber* next = me->next;
  if (next == nullptr || --me->block->live == 0) {
    next = services->end_thread(me);
  } else {
    const unsigned long long round = me->block->round;
    me = switch_to(me, next);
    if (me->block->round != round) return;
    next = services->leave_ring(me);
  }
  let_run(me, next);
}

inline __attribute__((always_inline)) gpuarr_votes vote(int predicate, int line) {
  gpuarr_fiber* me = self;
  me = let_run(me, services->barrier(me, predicate, line));
  go_on_as(me);
  return services->votes(me);
}

[[noreturn]] inline __attribute__((noinline, cold)) void fail(const char* what, const char* file,
                                                              int line, gpuarr_failure why) {
  services->fail(self, why, what, file, line, this_block(), this_thread());
  __builtin_unreachable();
}

}  // namespace gpuarr_glue

inline __attribute__((always_inline)) int __syncthreads_count(int predicate,
                                                              int line = GPUARR_LINE) {
  return (int)gpuarr_glue::vote(predicate, line).others;
}
inline __attribute__((always_inline)) int __syncthreads_and(int predicate, int line = GPUARR_LINE) {
  return gpuarr_glue::vote(predicate, line).zeros == 0;
}
inline __attribute__((always_inline)) int __syncthreads_or(int predicate, int line = GPUARR_LINE) {
  return gpuarr_glue::vote(predicate, line).others != 0;
}

// All blocks of a cooperative launch.
inline __attribute__((always_inline)) void gpuarr_grid_barrier() {
  gpuarr_fiber* self = gpuarr_glue::self;
  gpuarr_glue::go_on_as(gpuarr_glue::let_run(self, gpuarr_glue::services->grid_barrier(self)));
}

// A thread that waits for another one in a loop has to let it run.
inline __attribute__((always_inline)) void __nanosleep(unsigned) {
  gpuarr_fiber* self = gpuarr_glue::self;
  gpuarr_glue::go_on_as(gpuarr_glue::let_run(self, gpuarr_glue::services->yield(self)));
}

// What assert() of the C library calls too, which would end the process.
extern "C" [[noreturn]] inline __attribute__((used, cold, visibility("hidden"))) void __assert_fail(
    const char* expression, const char* file, unsigned line, const char*) noexcept {
  char what[512] = "assertion \"";
  unsigned at = __builtin_strlen(what);
  while (*expression != 0 && at < sizeof what - 16) what[at++] = *expression++;
  __builtin_memcpy(what + at, "\" failed", 9);
  gpuarr_glue::fail(what, file, (int)line, gpuarr_failed_assertion);
}

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, ""))
#endif

// What the prelude's language/checks.cuh calls, where it is.
#ifdef GPUARR_CHECK_PLACES
[[noreturn]] inline void gpuarr_check::end(const char* what, bool is_index, Place place) {
  gpuarr_glue::fail(what, place.file, place.line,
                    is_index ? gpuarr_failed_index : gpuarr_failed_assertion);
}
#endif

[[noreturn]] inline void __trap() {
  gpuarr_glue::fail("__trap() was called", nullptr, 0, gpuarr_failed_assertion);
}
#define __builtin_trap() __trap()
