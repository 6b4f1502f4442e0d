// brain16: the upper half of a float.

namespace gpuarr_prelude {

struct brain16 {
  static unsigned short round(float x) {
#if __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    const unsigned bits = gpuarr_detail::float_bits(x);
    const unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (unsigned short)(x == x ? rounded : 0x7fff);
#endif
  }
  static float widen(unsigned short bits) { return gpuarr_detail::float_of((unsigned)bits << 16); }
};

}  // namespace gpuarr_prelude
