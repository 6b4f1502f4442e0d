// Numbers rounded to places behind the point by a factor, to places before it by a divisor. What
// leaves the range on the way has no such places. Expects V.

static inline V rounded_after(V x, V factor) {
  const V scaled = x * factor;
  return scaled - scaled == 0 ? rint(scaled) / factor : x;
}
static inline V rounded_before(V x, V divisor) {
  const V whole = rint(x / divisor);
  return x - x != 0 ? x : whole == 0 ? whole : whole * divisor;
}
template <class T>
static inline T whole_rounded(T x, unsigned long long divisor) {
  if (divisor == 0) return 0;
  const unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
  const unsigned long long whole = size / divisor, rest = size % divisor, half = divisor / 2;
  const bool up = rest > half || (rest == half && whole & 1);
  const unsigned long long rounded = (whole + up) * divisor;
  return T(x < 0 ? 0 - rounded : rounded);
}
