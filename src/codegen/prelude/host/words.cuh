// CUDA's integer functions on the host that work on parts of words.

namespace gpuarr_prelude {

inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32 ? __funnelshift_l(low, high, shift) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32 ? __funnelshift_r(low, high, shift) : high;
}
// The place of a set bit: the one at `base`, or so many set bits on from there, up or down.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset == 0 ? 1 : offset * step;
  for (int at = (int)base; at >= 0 && at < 32; at += step) {
    if (mask >> at & 1 && --left == 0) return (unsigned)at;
    if (offset == 0) break;
  }
  return 0xffffffff;
}
inline unsigned __uhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}

namespace gpuarr_detail {
template <class Int>
inline int byte_of(Int word, int i) {
  if constexpr ((Int)-1 < 0)
    return (signed char)(word >> 8 * i);
  else
    return (int)(word >> 8 * i & 0xff);
}
template <class A, class B>
inline int dot4(A a, B b) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += byte_of(a, i) * byte_of(b, i);
  return sum;
}
}  // namespace gpuarr_detail
inline int __dp4a(int a, int b, int c) {
  return (int)((unsigned)gpuarr_detail::dot4(a, b) + (unsigned)c);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return (unsigned)gpuarr_detail::dot4(a, b) + c;
}
inline int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(gpuarr_detail::bits<int>(a), gpuarr_detail::bits<int>(b), c);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(gpuarr_detail::bits<unsigned>(a), gpuarr_detail::bits<unsigned>(b), c);
}

// Two halves of a word with two bytes of another: the low ones, or the high ones.
inline int __dp2a_lo(int a, int b, int c) {
  return (int)((unsigned)((short)a * gpuarr_detail::byte_of(b, 0)) +
               (unsigned)((a >> 16) * gpuarr_detail::byte_of(b, 1)) + (unsigned)c);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff) + c;
}
inline int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(gpuarr_detail::bits<int>(a), gpuarr_detail::bits<int>(b), c);
}
inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_lo(gpuarr_detail::bits<unsigned>(a), gpuarr_detail::bits<unsigned>(b), c);
}
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
inline int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(gpuarr_detail::bits<int>(a), gpuarr_detail::bits<int>(b), c);
}
inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_hi(gpuarr_detail::bits<unsigned>(a), gpuarr_detail::bits<unsigned>(b), c);
}

namespace gpuarr_detail {

// f of each byte, or each half, of two words.
template <class Part, class F>
inline unsigned each_part(unsigned a, unsigned b, F f) {
  constexpr int bits = 8 * (int)sizeof(Part);
  constexpr unsigned mask = 0xffffffff >> (32 - bits);
  unsigned result = 0;
  for (int at = 0; at < 32; at += bits)
    result |= ((unsigned)f((Part)(a >> at), (Part)(b >> at)) & mask) << at;
  return result;
}
template <class Part, class F>
inline unsigned sum_of_parts(unsigned a, unsigned b, F f) {
  unsigned sum = 0;
  for (int at = 0; at < 32; at += 8 * (int)sizeof(Part))
    sum += (unsigned)f((Part)(a >> at), (Part)(b >> at));
  return sum;
}
template <class Part>
inline int clamped(int x) {
  constexpr bool has_sign = (Part)-1 < 0;
  constexpr int most = (1 << (8 * (int)sizeof(Part) - has_sign)) - 1, least = has_sign ? ~most : 0;
  return x < least ? least : x > most ? most : x;
}
inline int absolute(int x) { return x < 0 ? -x : x; }

}  // namespace gpuarr_detail

}  // namespace gpuarr_prelude

// Eighty functions that are seldom used: as macros they cost a kernel that does not nothing.
#define GPUARR_PARTS(how, Part, a, b, expression) \
  gpuarr_prelude::gpuarr_detail::how<Part>(a, b, [](int x, int y) -> int { return expression; })
#define GPUARR_CLAMPED(Part, expression) gpuarr_prelude::gpuarr_detail::clamped<Part>(expression)
#define __vadd2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x + y)
#define __vadd4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x + y)
#define __vaddss2(a, b) GPUARR_PARTS(each_part, short, a, b, GPUARR_CLAMPED(short, x + y))
#define __vaddss4(a, b) \
  GPUARR_PARTS(each_part, signed char, a, b, GPUARR_CLAMPED(signed char, x + y))
#define __vaddus2(a, b) \
  GPUARR_PARTS(each_part, unsigned short, a, b, GPUARR_CLAMPED(unsigned short, x + y))
#define __vaddus4(a, b) \
  GPUARR_PARTS(each_part, unsigned char, a, b, GPUARR_CLAMPED(unsigned char, x + y))
#define __vsub2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x - y)
#define __vsub4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x - y)
#define __vsubss2(a, b) GPUARR_PARTS(each_part, short, a, b, GPUARR_CLAMPED(short, x - y))
#define __vsubss4(a, b) \
  GPUARR_PARTS(each_part, signed char, a, b, GPUARR_CLAMPED(signed char, x - y))
#define __vsubus2(a, b) \
  GPUARR_PARTS(each_part, unsigned short, a, b, GPUARR_CLAMPED(unsigned short, x - y))
#define __vsubus4(a, b) \
  GPUARR_PARTS(each_part, unsigned char, a, b, GPUARR_CLAMPED(unsigned char, x - y))
#define __vneg2(a) GPUARR_PARTS(each_part, short, a, 0, -x)
#define __vneg4(a) GPUARR_PARTS(each_part, signed char, a, 0, -x)
#define __vnegss2(a) GPUARR_PARTS(each_part, short, a, 0, GPUARR_CLAMPED(short, -x))
#define __vnegss4(a) GPUARR_PARTS(each_part, signed char, a, 0, GPUARR_CLAMPED(signed char, -x))
#define __vabs2(a) GPUARR_PARTS(each_part, short, a, 0, gpuarr_prelude::gpuarr_detail::absolute(x))
#define __vabs4(a) \
  GPUARR_PARTS(each_part, signed char, a, 0, gpuarr_prelude::gpuarr_detail::absolute(x))
#define __vabsss2(a)                   \
  GPUARR_PARTS(each_part, short, a, 0, \
               GPUARR_CLAMPED(short, gpuarr_prelude::gpuarr_detail::absolute(x)))
#define __vabsss4(a)                         \
  GPUARR_PARTS(each_part, signed char, a, 0, \
               GPUARR_CLAMPED(signed char, gpuarr_prelude::gpuarr_detail::absolute(x)))
#define __vabsdiffs2(a, b) \
  GPUARR_PARTS(each_part, short, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vabsdiffs4(a, b) \
  GPUARR_PARTS(each_part, signed char, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vabsdiffu2(a, b) \
  GPUARR_PARTS(each_part, unsigned short, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vabsdiffu4(a, b) \
  GPUARR_PARTS(each_part, unsigned char, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vavgs2(a, b) GPUARR_PARTS(each_part, short, a, b, (x + y + (x + y >= 0)) >> 1)
#define __vavgs4(a, b) GPUARR_PARTS(each_part, signed char, a, b, (x + y + (x + y >= 0)) >> 1)
#define __vavgu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, (x + y + 1) >> 1)
#define __vavgu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, (x + y + 1) >> 1)
#define __vhaddu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, (x + y) >> 1)
#define __vhaddu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, (x + y) >> 1)
#define __vmaxs2(a, b) GPUARR_PARTS(each_part, short, a, b, x > y ? x : y)
#define __vmaxs4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x > y ? x : y)
#define __vmaxu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x > y ? x : y)
#define __vmaxu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x > y ? x : y)
#define __vmins2(a, b) GPUARR_PARTS(each_part, short, a, b, x < y ? x : y)
#define __vmins4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x < y ? x : y)
#define __vminu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x < y ? x : y)
#define __vminu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x < y ? x : y)
#define __vsads2(a, b) \
  GPUARR_PARTS(sum_of_parts, short, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vsads4(a, b) \
  GPUARR_PARTS(sum_of_parts, signed char, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vsadu2(a, b) \
  GPUARR_PARTS(sum_of_parts, unsigned short, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vsadu4(a, b) \
  GPUARR_PARTS(sum_of_parts, unsigned char, a, b, gpuarr_prelude::gpuarr_detail::absolute(x - y))
#define __vcmpeq2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x == y ? -1 : 0)
#define __vcmpeq4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x == y ? -1 : 0)
#define __vseteq2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x == y)
#define __vseteq4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x == y)
#define __vcmpne2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x != y ? -1 : 0)
#define __vcmpne4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x != y ? -1 : 0)
#define __vsetne2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x != y)
#define __vsetne4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x != y)
#define __vcmpges2(a, b) GPUARR_PARTS(each_part, short, a, b, x >= y ? -1 : 0)
#define __vcmpges4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x >= y ? -1 : 0)
#define __vsetges2(a, b) GPUARR_PARTS(each_part, short, a, b, x >= y)
#define __vsetges4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x >= y)
#define __vcmpgeu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x >= y ? -1 : 0)
#define __vcmpgeu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x >= y ? -1 : 0)
#define __vsetgeu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x >= y)
#define __vsetgeu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x >= y)
#define __vcmpgts2(a, b) GPUARR_PARTS(each_part, short, a, b, x > y ? -1 : 0)
#define __vcmpgts4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x > y ? -1 : 0)
#define __vsetgts2(a, b) GPUARR_PARTS(each_part, short, a, b, x > y)
#define __vsetgts4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x > y)
#define __vcmpgtu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x > y ? -1 : 0)
#define __vcmpgtu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x > y ? -1 : 0)
#define __vsetgtu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x > y)
#define __vsetgtu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x > y)
#define __vcmples2(a, b) GPUARR_PARTS(each_part, short, a, b, x <= y ? -1 : 0)
#define __vcmples4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x <= y ? -1 : 0)
#define __vsetles2(a, b) GPUARR_PARTS(each_part, short, a, b, x <= y)
#define __vsetles4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x <= y)
#define __vcmpleu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x <= y ? -1 : 0)
#define __vcmpleu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x <= y ? -1 : 0)
#define __vsetleu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x <= y)
#define __vsetleu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x <= y)
#define __vcmplts2(a, b) GPUARR_PARTS(each_part, short, a, b, x < y ? -1 : 0)
#define __vcmplts4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x < y ? -1 : 0)
#define __vsetlts2(a, b) GPUARR_PARTS(each_part, short, a, b, x < y)
#define __vsetlts4(a, b) GPUARR_PARTS(each_part, signed char, a, b, x < y)
#define __vcmpltu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x < y ? -1 : 0)
#define __vcmpltu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x < y ? -1 : 0)
#define __vsetltu2(a, b) GPUARR_PARTS(each_part, unsigned short, a, b, x < y)
#define __vsetltu4(a, b) GPUARR_PARTS(each_part, unsigned char, a, b, x < y)
