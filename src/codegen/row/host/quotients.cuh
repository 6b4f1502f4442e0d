// Quotients of a row's doubles by one for the row, without a division for each: a product with the
// reciprocal, which two steps correct to what a division rounds to (Markstein, Computation of
// elementary functions on the IBM RISC System/6000 processor, 1990). That holds where nothing on
// the way leaves the normal numbers. So some elements at a time are looked at first: if one of them
// is too small, too large, -0 or no number, all of them are divided.
//
// Of a call it knows _put(body, place, k, how, strange), whose text calls row_quotient.
namespace gpuarr_kernel {

struct by_division {
  enum { stores = 1 };
};
struct by_product {
  enum { stores = 1 };
};
struct to_look {
  enum { stores = 0 };
};

#if defined(__FMA__) || defined(__aarch64__)
enum { corrects = 1 };
#else
enum { corrects = 0 };  // without the instruction it is a call
#endif

// 0 where elements are to be divided.
static __forceinline__ double row_reciprocal(double b) {
  const double size = b < 0 ? -b : b;
  return corrects && size >= 0x1p-500 && size <= 0x1p500 ? 1 / b : 0;
}

static __forceinline__ double row_quotient(by_division, double a, double b, double, long long&) {
  return a / b;
}

static __forceinline__ double row_quotient(by_product, double a, double b, double y, long long&) {
  const double near = a * y;
  const double nearer = __builtin_fma(__builtin_fma(-near, b, a), y, near);
  return __builtin_fma(__builtin_fma(-nearer, b, a), y, nearer);
}

// Elements are 0, or from 2^-400 to 2^400: by their bits, as integers, whose comparisons compilers
// make vectors of.
static __forceinline__ double row_quotient(to_look, double a, double, double y,
                                           long long& strange) {
  const unsigned long long one = 0x3ffull << 52, range = 400ull << 52;
  unsigned long long bits;
  __builtin_memcpy(&bits, &a, sizeof a);
  const unsigned long long above = (bits & ~0ull >> 1) - (one - range);
  strange |= (long long)((above > 2 * range) & (bits != 0)) | (long long)(y == 0);
  return a * y;
}

template <class How, class Body, class Place>
static __forceinline__ long long put_part(const Body& body, const Place& place, long long first,
                                          long long end) {
  long long strange = 0;
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (long long k = first; k < end; ++k) _put(body, place, k, How(), strange);
  return strange;
}

// Short rows are divided: what is left of a vector costs most of their time.
template <class Body, class Place>
static __forceinline__ void put_quotients(const Body& body, const Place& place, long long count) {
  const long long part = 512, enough = 128;
  for (long long first = 0; first < count; first += part) {
    const long long end = gpuarr_kernel::least(count, first + part);
    if (count < enough || gpuarr_kernel::put_part<to_look>(body, place, first, end))
      gpuarr_kernel::put_part<by_division>(body, place, first, end);
    else
      gpuarr_kernel::put_part<by_product>(body, place, first, end);
  }
}

}  // namespace gpuarr_kernel
