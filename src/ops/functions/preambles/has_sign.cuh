// Whether the sign of a float is minus. NVRTC makes another NaN of one that is converted, so that
// its sign must be read before.

template <class T>
static inline bool has_sign(const T& x) {
  if constexpr (sizeof(T) == 2)
    return x.bits >> 15;
  else
    return signbit(x);
}
