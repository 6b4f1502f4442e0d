// binary16: the 16-bit float of IEEE 754.

namespace gpuarr_prelude {

struct binary16 {
#ifdef __CUDACC_RTC__
  static unsigned short round(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
  }
  static float widen(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
  }
#else
  // Without branches, so that loops are vectorised. The float adder does the rounding: beside a
  // power of two that is 2^13 times as large as the last bit wanted, it leaves just those bits.
  static unsigned short round(float x) {
    const unsigned twice = gpuarr_detail::float_bits(x) << 1,
                   sign = gpuarr_detail::float_bits(x) >> 16 & 0x8000;
    const float clamped =
        gpuarr_detail::float_of(twice >> 1) * 0x1p112f * 0x1p-110f;  // 2^16 is infinite
    const unsigned top = twice & 0xff000000;
    const unsigned scale = ((top > 0x71000000 ? top : 0x71000000) >> 1) + 0x07800000;
    const unsigned sum = gpuarr_detail::float_bits(clamped + gpuarr_detail::float_of(scale));
    const unsigned bits = (sum >> 13 & 0x7c00) + (sum & 0xfff);
    return (unsigned short)(sign | (twice > 0xff000000 ? 0x7e00 : bits));
  }
  static float widen(unsigned short bits) {
    const unsigned twice = (unsigned)bits << 17;
    const float normal = gpuarr_detail::float_of((twice >> 4) + 0x70000000) * 0x1p-112f;
    const float subnormal = gpuarr_detail::float_of(twice >> 17 | 0x3f000000) - 0.5f;
    const float x = twice < 0x08000000 ? subnormal : normal;
    return gpuarr_detail::float_of(gpuarr_detail::float_bits(x) | (unsigned)(bits & 0x8000) << 16);
  }
#endif
};

}  // namespace gpuarr_prelude
