// C for integers of any signs and sizes, which are compared without conversion.

struct mixed_integer {
  unsigned long long low;
  bool negative;
  template <class T>
  mixed_integer(T x) : low((unsigned long long)x), negative(x < 0) {}
};
typedef mixed_integer C;
static inline bool operator==(const C& x, const C& y) {
  return (x.low == y.low) & (x.negative == y.negative);
}
static inline bool operator!=(const C& x, const C& y) { return !(x == y); }
static inline bool operator<(const C& x, const C& y) {
  return x.negative != y.negative ? x.negative : x.low < y.low;
}
static inline bool operator<=(const C& x, const C& y) { return !(y < x); }
