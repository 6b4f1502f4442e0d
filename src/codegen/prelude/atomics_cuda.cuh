// Atomic operations that CUDA has not.

namespace gpuarr_prelude {

inline long long atomicAdd(long long* p, long long value) {
  return (long long)::atomicAdd((unsigned long long*)p, (unsigned long long)value);
}

}  // namespace gpuarr_prelude
