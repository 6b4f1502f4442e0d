// CUDA's vector types on the host: names, fields and alignment. It has no operators for them.

#define GPUARR_VECTORS(name, T, align2, align4)                      \
  struct name##1 {                                                   \
    T x;                                                             \
  };                                                                 \
  struct alignas(align2) name##2 {                                   \
    T x, y;                                                          \
  };                                                                 \
  struct name##3 {                                                   \
    T x, y, z;                                                       \
  };                                                                 \
  struct alignas(align4) name##4 {                                   \
    T x, y, z, w;                                                    \
  };                                                                 \
  inline name##1 make_##name##1(T x) { return {x}; }                 \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
GPUARR_VECTORS(char, signed char, 2, 4)
GPUARR_VECTORS(uchar, unsigned char, 2, 4)
GPUARR_VECTORS(short, short, 4, 8)
GPUARR_VECTORS(ushort, unsigned short, 4, 8)
GPUARR_VECTORS(int, int, 8, 16)
GPUARR_VECTORS(uint, unsigned, 8, 16)
GPUARR_VECTORS(long, long, 16, 16)
GPUARR_VECTORS(ulong, unsigned long, 16, 16)
GPUARR_VECTORS(longlong, long long, 16, 16)
GPUARR_VECTORS(ulonglong, unsigned long long, 16, 16)
GPUARR_VECTORS(float, float, 8, 16)
GPUARR_VECTORS(double, double, 16, 16)
#undef GPUARR_VECTORS

struct gpuarr_triple;  // threadIdx and the like

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  inline dim3(const gpuarr_triple& v);
  constexpr operator uint3() const { return {x, y, z}; }
};
