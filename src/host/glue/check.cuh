// The calls that -fsanitize=thread puts before each access, of a module that is checked. The first
// look is here: most accesses go where one went before.

namespace gpuarr_glue {

static gpuarr_checker* checker = nullptr;  // of the launch that runs

#define GPUARR_BARE __attribute__((no_sanitize("thread")))
// Threads are between two stacks where some of these are called, so they must not look whether
// there is room; which has to be said before they are defined.
#define GPUARR_HOOK_AS(symbol, type, name, ...)                              \
  extern "C" __attribute__((no_split_stack, noinline, visibility("hidden"))) \
  type name __VA_ARGS__ __asm__(symbol);                                     \
  extern "C" GPUARR_BARE __attribute__((used)) type name __VA_ARGS__
#define GPUARR_HOOK(type, name, ...) GPUARR_HOOK_AS(#name, type, name, __VA_ARGS__)
#define GPUARR_CALLER __builtin_return_address(0)

template <unsigned Bytes, int Access>
GPUARR_BARE inline __attribute__((always_inline)) void look(const volatile void* p,
                                                            const void* code) {
  gpuarr_checker* c = checker;
  if (c == nullptr) return;
  const unsigned long long at = (unsigned long long)p;
  const gpuarr_extent& known = c->known[gpuarr_checker::extent_of(at)];
  constexpr unsigned long long odd = Access & gpuarr_misaligned ? 0 : Bytes - 1;
  if (at < known.begin || at + Bytes > known.end || (at & odd) != 0)
    c->access(c, at, Bytes, Access, code);
}

GPUARR_BARE inline __attribute__((always_inline)) void look_at(const volatile void* p,
                                                               unsigned long long bytes, int access,
                                                               const void* code) {
  if (checker != nullptr && bytes > 0)
    checker->access(checker, (unsigned long long)p, bytes, access, code);
}

// Memory orders as the compiler has them: relaxed 0, consume, acquire, release, both, all 5.
GPUARR_BARE constexpr int strength(int order) {
  return (order == 0 || order == 3 ? 0 : gpuarr_acquires) | (order >= 3 ? gpuarr_releases : 0);
}

}  // namespace gpuarr_glue

GPUARR_HOOK(void, __tsan_init, ()) {}

#define GPUARR_PLAIN_HOOKS(bytes)                                                                  \
  GPUARR_HOOK(void, __tsan_read##bytes, (void* p)) {                                               \
    gpuarr_glue::look<bytes, gpuarr_read>(p, GPUARR_CALLER);                                       \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_write##bytes, (void* p)) {                                              \
    gpuarr_glue::look<bytes, gpuarr_write>(p, GPUARR_CALLER);                                      \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_volatile_read##bytes, (void* p)) {                                      \
    gpuarr_glue::look<bytes, gpuarr_read | gpuarr_volatile>(p, GPUARR_CALLER);                     \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_volatile_write##bytes, (void* p)) {                                     \
    gpuarr_glue::look<bytes, gpuarr_write | gpuarr_volatile>(p, GPUARR_CALLER);                    \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_unaligned_read##bytes, (void* p)) {                                     \
    gpuarr_glue::look<bytes, gpuarr_read | gpuarr_misaligned>(p, GPUARR_CALLER);                   \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_unaligned_write##bytes, (void* p)) {                                    \
    gpuarr_glue::look<bytes, gpuarr_write | gpuarr_misaligned>(p, GPUARR_CALLER);                  \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_unaligned_volatile_read##bytes, (void* p)) {                            \
    gpuarr_glue::look<bytes, gpuarr_read | gpuarr_volatile | gpuarr_misaligned>(p, GPUARR_CALLER); \
  }                                                                                                \
  GPUARR_HOOK(void, __tsan_unaligned_volatile_write##bytes, (void* p)) {                           \
    gpuarr_glue::look<bytes, gpuarr_write | gpuarr_volatile | gpuarr_misaligned>(p,                \
                                                                                 GPUARR_CALLER);   \
  }
GPUARR_PLAIN_HOOKS(1)
GPUARR_PLAIN_HOOKS(2)
GPUARR_PLAIN_HOOKS(4)
GPUARR_PLAIN_HOOKS(8)
GPUARR_PLAIN_HOOKS(16)
#undef GPUARR_PLAIN_HOOKS

// Of structs: how they are to be aligned, their size does not tell.
GPUARR_HOOK(void, __tsan_read_range, (void* p, unsigned long bytes)) {
  gpuarr_glue::look_at(p, bytes, gpuarr_read | gpuarr_misaligned, GPUARR_CALLER);
}
GPUARR_HOOK(void, __tsan_write_range, (void* p, unsigned long bytes)) {
  gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_misaligned, GPUARR_CALLER);
}
GPUARR_HOOK(void, __tsan_vptr_update, (void** p, void*)) {
  gpuarr_glue::look<8, gpuarr_write>(p, GPUARR_CALLER);
}
GPUARR_HOOK(void, __tsan_vptr_read, (void** p)) {
  gpuarr_glue::look<8, gpuarr_read>(p, GPUARR_CALLER);
}
GPUARR_HOOK(void, __tsan_func_entry, (void*)) {}
GPUARR_HOOK(void, __tsan_func_exit, ()) {}

// One thread does all of a launch, but others of the process may be at the same memory.
#define GPUARR_CHANGE(name, word, bits, bytes, result)                                          \
  GPUARR_HOOK(word, __tsan_atomic##bits##_##name, (volatile void* p, word value, int order)) {  \
    gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_atomic | gpuarr_glue::strength(order), \
                         GPUARR_CALLER);                                                        \
    volatile word* at = (volatile word*)p;                                                      \
    return result;                                                                              \
  }
#define GPUARR_ATOMIC_HOOKS(word, bits, bytes)                                                  \
  GPUARR_CHANGE(exchange, word, bits, bytes, __atomic_exchange_n(at, value, 5))                 \
  GPUARR_CHANGE(fetch_add, word, bits, bytes, __atomic_fetch_add(at, value, 5))                 \
  GPUARR_CHANGE(fetch_sub, word, bits, bytes, __atomic_fetch_sub(at, value, 5))                 \
  GPUARR_CHANGE(fetch_and, word, bits, bytes, __atomic_fetch_and(at, value, 5))                 \
  GPUARR_CHANGE(fetch_or, word, bits, bytes, __atomic_fetch_or(at, value, 5))                   \
  GPUARR_CHANGE(fetch_xor, word, bits, bytes, __atomic_fetch_xor(at, value, 5))                 \
  GPUARR_CHANGE(fetch_nand, word, bits, bytes, __atomic_fetch_nand(at, value, 5))               \
  GPUARR_HOOK(word, __tsan_atomic##bits##_load, (const volatile void* p, int order)) {          \
    gpuarr_glue::look_at(p, bytes, gpuarr_read | gpuarr_atomic | gpuarr_glue::strength(order),  \
                         GPUARR_CALLER);                                                        \
    return __atomic_load_n((const volatile word*)p, 5);                                         \
  }                                                                                             \
  GPUARR_HOOK(void, __tsan_atomic##bits##_store, (volatile void* p, word value, int order)) {   \
    gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_atomic | gpuarr_glue::strength(order), \
                         GPUARR_CALLER);                                                        \
    __atomic_store_n((volatile word*)p, value, 5);                                              \
  }                                                                                             \
  GPUARR_HOOK(bool, __tsan_atomic##bits##_compare_exchange_strong,                              \
              (volatile void* p, void* expected, word value, int order, int)) {                 \
    gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_atomic | gpuarr_glue::strength(order), \
                         GPUARR_CALLER);                                                        \
    return __atomic_compare_exchange_n((volatile word*)p, (word*)expected, value, false, 5, 5); \
  }                                                                                             \
  GPUARR_HOOK(bool, __tsan_atomic##bits##_compare_exchange_weak,                                \
              (volatile void* p, void* expected, word value, int order, int)) {                 \
    gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_atomic | gpuarr_glue::strength(order), \
                         GPUARR_CALLER);                                                        \
    return __atomic_compare_exchange_n((volatile word*)p, (word*)expected, value, false, 5, 5); \
  }                                                                                             \
  GPUARR_HOOK(word, __tsan_atomic##bits##_compare_exchange_val,                                 \
              (volatile void* p, word expected, word value, int order, int)) {                  \
    gpuarr_glue::look_at(p, bytes, gpuarr_write | gpuarr_atomic | gpuarr_glue::strength(order), \
                         GPUARR_CALLER);                                                        \
    __atomic_compare_exchange_n((volatile word*)p, &expected, value, false, 5, 5);              \
    return expected;                                                                            \
  }
GPUARR_ATOMIC_HOOKS(unsigned char, 8, 1)
GPUARR_ATOMIC_HOOKS(unsigned short, 16, 2)
GPUARR_ATOMIC_HOOKS(unsigned, 32, 4)
GPUARR_ATOMIC_HOOKS(unsigned long, 64, 8)
#undef GPUARR_ATOMIC_HOOKS
#undef GPUARR_CHANGE

// The compiler would call a library for these; nobody else can be at such a word without.
__extension__ typedef unsigned __int128 gpuarr_word128;
GPUARR_HOOK(gpuarr_word128, __tsan_atomic128_compare_exchange_val,
            (volatile void* p, gpuarr_word128 expected, gpuarr_word128 value, int, int)) {
  gpuarr_glue::look_at(p, 16, gpuarr_write | gpuarr_atomic, GPUARR_CALLER);
  volatile gpuarr_word128* at = (volatile gpuarr_word128*)p;
  const gpuarr_word128 old = *at;
  if (old == expected) *at = value;
  return old;
}
GPUARR_HOOK(bool, __tsan_atomic128_compare_exchange_strong,
            (volatile void* p, void* expected, gpuarr_word128 value, int, int)) {
  gpuarr_glue::look_at(p, 16, gpuarr_write | gpuarr_atomic, GPUARR_CALLER);
  volatile gpuarr_word128* at = (volatile gpuarr_word128*)p;
  const gpuarr_word128 old = *at;
  const bool same = old == *(gpuarr_word128*)expected;
  if (same) *at = value;
  *(gpuarr_word128*)expected = old;
  return same;
}

GPUARR_HOOK(void, __tsan_atomic_thread_fence, (int)) {
  if (gpuarr_glue::checker != nullptr) gpuarr_glue::checker->fence(gpuarr_glue::checker);
}
GPUARR_HOOK(void, __tsan_atomic_signal_fence, (int)) {}

// A division of integers by zero, or one whose result is too large: the processor ends the process.
// `data` begins with its place.
GPUARR_HOOK(void, __ubsan_handle_divrem_overflow, (void* data, void*, void*)) {
  struct place {
    const char* file;
    unsigned line;
  };
  const place& at = *(const place*)data;
  if (gpuarr_glue::checker != nullptr)
    gpuarr_glue::checker->division(gpuarr_glue::checker, at.file, at.line);
}

// Copies are not always made by code that is instrumented. The C library's functions are declared
// above, which would leave these visible under the same names, and then the C library's are called.
GPUARR_HOOK_AS("memcpy", void*, gpuarr_memcpy,
               (void* to, const void* from, unsigned long bytes) noexcept) {
  gpuarr_glue::look_at(from, bytes, gpuarr_read | gpuarr_misaligned, GPUARR_CALLER);
  gpuarr_glue::look_at(to, bytes, gpuarr_write | gpuarr_misaligned, GPUARR_CALLER);
  for (unsigned long i = 0; i < bytes; ++i) {
    ((char*)to)[i] = ((const char*)from)[i];
    asm("");
  }
  return to;
}
GPUARR_HOOK_AS("memmove", void*, gpuarr_memmove,
               (void* to, const void* from, unsigned long bytes) noexcept) {
  if (to <= from) return gpuarr_memcpy(to, from, bytes);
  gpuarr_glue::look_at(from, bytes, gpuarr_read | gpuarr_misaligned, GPUARR_CALLER);
  gpuarr_glue::look_at(to, bytes, gpuarr_write | gpuarr_misaligned, GPUARR_CALLER);
  for (unsigned long i = bytes; i-- > 0;) {
    ((char*)to)[i] = ((const char*)from)[i];
    asm("");
  }
  return to;
}
GPUARR_HOOK_AS("memset", void*, gpuarr_memset,
               (void* to, int value, unsigned long bytes) noexcept) {
  gpuarr_glue::look_at(to, bytes, gpuarr_write | gpuarr_misaligned, GPUARR_CALLER);
  for (unsigned long i = 0; i < bytes; ++i) {
    ((char*)to)[i] = (char)value;
    asm("");
  }
  return to;
}

// Between the glue's variables and the user's, wherever the linker puts them.
static thread_local __attribute__((used)) char gpuarr_gap_glue_0[128];
static __attribute__((used)) char gpuarr_gap_glue_1[128];
static __attribute__((used)) char gpuarr_gap_glue_2[128] = {1};
__attribute__((used)) char gpuarr_gap_glue_3[128];
__attribute__((used)) char gpuarr_gap_glue_4[128] = {1};

// What a kernel's `return;` becomes, so that it is told from threads that come to the end.
GPUARR_HOOK(void, gpuarr_returns, ()) {
  if (gpuarr_glue::checker != nullptr) gpuarr_glue::checker->returned = gpuarr_glue::self;
}

// The library finds it by its name, in modules that are checked. Once it was called, the calling
// thread has the thread-local variables.
extern "C" __attribute__((visibility("default"), used)) gpuarr_checker** gpuarr_module_checker() {
  asm volatile("" : : "r"(gpuarr_gap_glue_0));
  return &gpuarr_glue::checker;
}

#undef GPUARR_BARE
#undef GPUARR_HOOK
#undef GPUARR_HOOK_AS
#undef GPUARR_CALLER
