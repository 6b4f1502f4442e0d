// What CUB is told of a key, and what the kernels that use it take.

// CUB sorts by what traits_t says of a key.
typedef long long sort_long;
enum { sort_passes = (sort_width + 7) / 8 };
struct sort_key {
  sort_bits bits;
};
// Where elements are not written, there is no need to keep the bits of equals apart.
#if SORT_ORDER_ONLY
static inline sort_bits key_of(sort_bits x) { return compared(ordered(x)); }
static inline sort_bits sorted_by(sort_bits k) { return k; }
#else
static inline sort_bits key_of(sort_bits x) { return ordered(x); }
static inline sort_bits sorted_by(sort_bits k) { return compared(k); }
#endif
struct sort_digits {
  unsigned first, mask;
  __device__ unsigned Digit(sort_bits k) const { return (unsigned)(sorted_by(k) >> first) & mask; }
};
struct sort_conversion {
  template <class D>
  static __device__ sort_bits to_bit_ordered(D, sort_bits x) {
    return key_of(x);
  }
  template <class D>
  static __device__ sort_bits from_bit_ordered(D, sort_bits k) {
    return original(k);
  }
};
struct sort_inversion {
  template <class D>
  static __device__ sort_bits inverse(D, sort_bits k) {
    return (sort_bits)~k;
  }
};
template <>
struct cub::detail::radix::traits_t<sort_key, false> {
  typedef sort_bits bit_ordered_type;
  typedef sort_conversion bit_ordered_conversion_policy;
  typedef sort_inversion bit_ordered_inversion_policy;
  template <class F, class D>
  using digit_extractor_t = sort_digits;
  template <class D>
  static __device__ sort_bits min_raw_binary_key(D) {
    return original(0);
  }
  template <class D>
  static __device__ sort_bits max_raw_binary_key(D) {
    return original((sort_bits) ~(sort_bits)0);
  }
  template <class D>
  static __device__ int default_end_bit(D) {
    return sort_width;
  }
  template <class F, class D>
  static __device__ sort_digits digit_extractor(int first, int bits, D) {
    return {(unsigned)first, (1u << bits) - 1};
  }
};
struct sort_args {
  const sort_key* in;
  sort_key* out;
  const sort_index* index_in;
  sort_index* index_out;
  sort_long* index;
  sort_index *bins, *bins_out;
  int *lookback, *counters;
  sort_long rows, n, first, count, tiles, passes, pass;
};
