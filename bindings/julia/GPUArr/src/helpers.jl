# Functions of CUDA C++ that kernels made of Julia functions call: what Julia does otherwise than C.

const HELPERS = Dict(
    # NaN if one is, and 0 more than -0.
    "max" => """
        template <class T> __device__ inline T julia_max(T a, T b) {
          return a > b ? a : b > a ? b : a == b ? (signbit(a) ? b : a) : a + b;
        }
        """,
    "min" => """
        template <class T> __device__ inline T julia_min(T a, T b) {
          return a < b ? a : b < a ? b : a == b ? (signbit(a) ? a : b) : a + b;
        }
        """,
    # Integers by their values: -1, 0, 1.
    "compare" => """
        template <class A, class B> __device__ inline int julia_compare(A a, B b) {
          if ((a < 0) != (b < 0)) return a < 0 ? -1 : 1;
          const uint64 x = (uint64)(int64)a, y = (uint64)(int64)b;
          return x < y ? -1 : x > y;
        }
        """,
    # Division by 0 gives 0, and by -1 wraps around: the processor would trap on both.
    "div" => """
        template <class T> __device__ inline T julia_div(T a, T b) {
          return b == 0 ? (T)0 : b == (T)-1 && (T)-1 < 0 ? (T)(0ull - (uint64)a) : (T)(a / b);
        }
        """,
    "rem" => """
        template <class T> __device__ inline T julia_rem(T a, T b) {
          return b == 0 || (b == (T)-1 && (T)-1 < 0) ? (T)0 : (T)(a % b);
        }
        """,
    "mod" => """
        template <class T> __device__ inline T julia_mod(T a, T b) {
          const T r = b == 0 || (b == (T)-1 && (T)-1 < 0) ? (T)0 : (T)(a % b);
          return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r;
        }
        """,
    "fld" => """
        template <class T> __device__ inline T julia_fld(T a, T b) {
          if (b == 0) return 0;
          if (b == (T)-1 && (T)-1 < 0) return (T)(0ull - (uint64)a);
          return (T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
        }
        """,
    "cld" => """
        template <class T> __device__ inline T julia_cld(T a, T b) {
          if (b == 0) return 0;
          if (b == (T)-1 && (T)-1 < 0) return (T)(0ull - (uint64)a);
          return (T)(a / b + (a % b != 0 && (a < 0) == (b < 0)));
        }
        """,
    # C's lgamma writes the sign into a variable that all threads share.
    "log_gamma" => """
        #ifndef __CUDACC_RTC__
        extern "C" float lgammaf_r(float, int*) noexcept;
        extern "C" double lgamma_r(double, int*) noexcept;
        #endif
        template <class T> __device__ inline T julia_log_gamma(T x) {
        #ifdef __CUDACC_RTC__
          return lgamma(x);
        #else
          int sign;
          return sizeof(T) == 4 ? lgammaf_r(x, &sign) : lgamma_r(x, &sign);
        #endif
        }
        """,
    "gcd" => """
        template <class T> __device__ inline T julia_gcd(T a, T b) {
          uint64 x = a < 0 ? 0 - (uint64)a : (uint64)a, y = b < 0 ? 0 - (uint64)b : (uint64)b;
          while (y != 0) {
            const uint64 rest = x % y;
            x = y;
            y = rest;
          }
          return (T)x;
        }
        """,
    "lcm" => """
        template <class T> __device__ inline T julia_lcm(T a, T b) {
          if (a == 0 || b == 0) return 0;
          const uint64 p = a < 0 ? 0 - (uint64)a : (uint64)a, q = b < 0 ? 0 - (uint64)b : (uint64)b;
          uint64 x = p, y = q;
          while (y != 0) {
            const uint64 rest = x % y;
            x = y;
            y = rest;
          }
          return (T)(p / x * q);
        }
        """,
    # Whole powers wrap around; a negative exponent is the whole part of the fraction.
    "power" => """
        template <class T> __device__ inline T julia_power(T base, int64 n) {
          uint64 x = (uint64)base, power = 1;
          if (n < 0 && base == (T)-1 && (T)-1 < 0) return n % 2 ? (T)-1 : (T)1;
          if (n < 0) return base == 1;
          for (; n > 0; n >>= 1, x *= x)
            if (n & 1) power *= x;
          return (T)power;
        }
        """,
    "shift_left" => """
        template <class T> __device__ inline T julia_shift_left(T x, int64 n) {
          const int64 bits = 8 * sizeof(T);
          if (n < 0) return n <= -bits ? (T)(x < 0 ? -1 : 0) : (T)(x >> -n);
          return n >= bits ? (T)0 : (T)((uint64)x << n);
        }
        """,
    "shift_right" => """
        template <class T> __device__ inline T julia_shift_right(T x, int64 n) {
          const int64 bits = 8 * sizeof(T);
          if (n < 0) return n <= -bits ? (T)0 : (T)((uint64)x << -n);
          return n >= bits ? (T)(x < 0 ? -1 : 0) : (T)(x >> n);
        }
        """,
    "shift_logical" => """
        template <class T> __device__ inline T julia_shift_logical(T x, int64 n) {
          const int64 bits = 8 * sizeof(T);
          const uint64 whole = bits == 64 ? (uint64)x : (uint64)x & ((1ull << (bits & 63)) - 1);
          if (n < 0) return n <= -bits ? (T)0 : (T)(whole << -n);
          return n >= bits ? (T)0 : (T)(whole >> n);
        }
        """)

preamble_of(helpers) = join(HELPERS[name] for name in helpers)
