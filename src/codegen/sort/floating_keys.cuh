// Keys of floating-point numbers.

// Without the NaNs below -infinity, all NaNs are above infinity: they wrap around. Turning the
// numbers leaves them there. There is no branch, since signs may be random.
static inline sort_bits ordered(sort_bits x) {
  const sort_bits flips = (sort_bits)(0 - (x >> (sort_width - 1))) | sort_sign;
  const sort_bits k = (sort_bits)((x ^ flips) - sort_low);
  return (sort_bits)SORT_TURN(k);
}
static inline sort_bits original(sort_bits k) {
  const sort_bits x = (sort_bits)(SORT_TURN(k) + sort_low);
  const sort_bits flips = (sort_bits)((x >> (sort_width - 1)) - 1) | sort_sign;
  return (sort_bits)(x ^ flips);
}
static inline sort_bits compared(sort_bits k) {
  const sort_bits same = k == sort_minus_zero ? sort_zero : k;
  return same > sort_infinity ? (sort_bits) ~(sort_bits)0 : same;
}
