// What NVIDIA's compilers make of integers otherwise than C++ says.

namespace gpuarr_language {

// NVRTC 13.0 takes 0 - x of the least 16-bit integer for 32768 where it is widened again.
__device__ inline short difference(short a, short b) {
#ifdef __CUDACC_RTC__
  int result;
  asm("sub.s32 %0, %1, %2;" : "=r"(result) : "r"((int)a), "r"((int)b));
  return (short)result;
#else
  return (short)(a - b);
#endif
}

}  // namespace gpuarr_language
