// Bools by their bytes: g++ makes no vectors where they choose among numbers, or become some.

template <class T>
static inline const T& number_of(const T& x) {
  return x;
}
static inline unsigned char number_of(const bool& x) {
  return __builtin_bit_cast(unsigned char, x);
}
template <class T>
static inline bool is_true(const T& x) {
  if constexpr (sizeof(T) == 1)
    return __builtin_bit_cast(unsigned char, x) != 0;
  else
    return x != 0;
}
