// Numbers that a GPU divides by.
namespace gpuarr_kernel {

// Below 2^31, as are the numbers that are divided: a multiplication and a shift stand in for the
// division. fields.cpp chooses them.
struct _divisor {
  unsigned by, multiplier, shift, unused;

  __device__ __forceinline__ operator unsigned() const { return by; }
};

static __device__ __forceinline__ unsigned operator/(unsigned n, const _divisor& d) {
  return (unsigned)(((unsigned long long)n * d.multiplier) >> d.shift);
}

}  // namespace gpuarr_kernel
