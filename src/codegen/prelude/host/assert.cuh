// assert() and __trap() of generated kernels on the host. The library takes the call out of the
// kernel and fails it: the C library, whose own assert() calls the same function, would end the
// process.

extern "C" {
__attribute__((used, visibility("default"))) void (*gpuarr_on_failure)(const char* expression,
                                                                       const char* file,
                                                                       unsigned line) = nullptr;

[[noreturn]] inline __attribute__((used, cold, visibility("hidden"))) void __assert_fail(
    const char* expression, const char* file, unsigned line, const char*) noexcept {
  gpuarr_on_failure(expression, file, line);
  __builtin_unreachable();
}
}

#ifdef GPUARR_NO_ASSERT
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, ""))
#endif

[[noreturn]] inline void __trap() {
  gpuarr_on_failure(nullptr, nullptr, 0);
  __builtin_unreachable();
}
