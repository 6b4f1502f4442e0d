// Packs of rows on a GPU, each of which is read once and written once: they leave the caches to
// what is read again. Stands behind packs.cuh.
//
// A row may be written over one that is read, so the compiler keeps these in their order.
namespace gpuarr_kernel {

template <class T, int width>
static __device__ __forceinline__ _pack<T, width> _load_streamed(const T* from) {
  enum { bytes = sizeof(T) * width, words = (bytes + 3) / 4 };
  unsigned word[words];
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < words; k += 4)
      asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(word[k]), "=r"(word[k + 1]), "=r"(word[k + 2]), "=r"(word[k + 3])
                   : "l"((const unsigned*)from + k)
                   : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("ld.global.cs.v2.u32 {%0, %1}, [%2];"
                 : "=r"(word[0]), "=r"(word[1])
                 : "l"(from)
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(word[0]) : "l"(from) : "memory");
  } else if constexpr (bytes == 2) {
    unsigned short half;
    asm volatile("ld.global.cs.u16 %0, [%1];" : "=h"(half) : "l"(from) : "memory");
    word[0] = half;
  } else {
    asm volatile("ld.global.cs.u8 %0, [%1];" : "=r"(word[0]) : "l"(from) : "memory");
  }
  _pack<T, width> pack;
  memcpy((void*)&pack, word, bytes);
  return pack;
}

template <class T, int width>
static __device__ __forceinline__ void _store_streamed(T* to, const _pack<T, width>& pack) {
  enum { bytes = sizeof(T) * width, words = (bytes + 3) / 4 };
  unsigned word[words] = {};
  memcpy(word, &pack, bytes);
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < words; k += 4)
      asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"((unsigned*)to + k),
                   "r"(word[k]), "r"(word[k + 1]), "r"(word[k + 2]), "r"(word[k + 3])
                   : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word[0]), "r"(word[1])
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(word[0]) : "memory");
  } else if constexpr (bytes == 2) {
    asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(to), "h"((unsigned short)word[0]) : "memory");
  } else {
    asm volatile("st.global.cs.u8 [%0], %1;" ::"l"(to), "r"(word[0]) : "memory");
  }
}

}  // namespace gpuarr_kernel
