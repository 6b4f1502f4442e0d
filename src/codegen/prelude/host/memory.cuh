// What CUDA has for memory, caches and clocks, on the host.

extern "C" void* memcpy(void*, const void*, decltype(sizeof 0)) noexcept;
extern "C" void* memmove(void*, const void*, decltype(sizeof 0)) noexcept;
extern "C" void* memset(void*, int, decltype(sizeof 0)) noexcept;
extern "C" void* malloc(decltype(sizeof 0)) noexcept;
extern "C" void free(void*) noexcept;
extern "C" long clock() noexcept;

namespace gpuarr_prelude {

#define GPUARR_LOAD(name)     \
  template <class T>          \
  inline T name(const T* p) { \
    return *p;                \
  }
#define GPUARR_STORE(name)                                   \
  template <class T>                                         \
  inline void name(T* p, gpuarr_detail::value_of<T> value) { \
    *p = value;                                              \
  }
GPUARR_LOAD(__ldca)
GPUARR_LOAD(__ldcg)
GPUARR_LOAD(__ldcs)
GPUARR_LOAD(__ldlu)
GPUARR_LOAD(__ldcv)
GPUARR_STORE(__stwb)
GPUARR_STORE(__stcg)
GPUARR_STORE(__stcs)
GPUARR_STORE(__stwt)
#undef GPUARR_LOAD
#undef GPUARR_STORE

inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline long long clock64() {
#ifdef __aarch64__
  long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return (long long)__builtin_ia32_rdtsc();
#endif
}

}  // namespace gpuarr_prelude
