// The functions of CUDA's math and intrinsics documentation, called all in one function's text,
// which kernels of every kind must compile, on both devices, and find the same in.
#pragma once

#include <sstream>
#include <string>

namespace device_functions {

/// Each as name:signature, whose letters are the types of the result and the parameters: d double,
/// f float, i int, u unsigned, l long, L long long, U unsigned long long, v void, S text; D, F and
/// I point to numbers. From the toolkit's headers: math_functions.h, device_functions.h,
/// device_double_functions.h, sm_30_intrinsics.h, sm_32_intrinsics.h, sm_61_intrinsics.h. What
/// threads do together, as shuffles, only raw kernels have.
inline const char* const signatures = R"(
__brev:uu __brevll:UU __byte_perm:uuuu __clz:ii __clzll:iL __cosf:ff __dadd_rd:ddd __dadd_rn:ddd
__dadd_ru:ddd __dadd_rz:ddd __ddiv_rd:ddd __ddiv_rn:ddd __ddiv_ru:ddd __ddiv_rz:ddd __dmul_rd:ddd
__dmul_rn:ddd __dmul_ru:ddd __dmul_rz:ddd __double2float_rd:fd __double2float_rn:fd
__double2float_ru:fd __double2float_rz:fd __double2hiint:id __double2int_rd:id __double2int_rn:id
__double2int_ru:id __double2int_rz:id __double2ll_rd:Ld __double2ll_rn:Ld __double2ll_ru:Ld
__double2ll_rz:Ld __double2loint:id __double2uint_rd:ud __double2uint_rn:ud __double2uint_ru:ud
__double2uint_rz:ud __double2ull_rd:Ud __double2ull_rn:Ud __double2ull_ru:Ud __double2ull_rz:Ud
__double_as_longlong:Ld __dp2a_hi:iiii __dp2a_hi:uuuu __dp2a_lo:iiii __dp2a_lo:uuuu __dp4a:iiii
__dp4a:uuuu __drcp_rd:dd __drcp_rn:dd __drcp_ru:dd __drcp_rz:dd __dsqrt_rd:dd __dsqrt_rn:dd
__dsqrt_ru:dd __dsqrt_rz:dd __dsub_rd:ddd __dsub_rn:ddd __dsub_ru:ddd __dsub_rz:ddd __exp10f:ff
__expf:ff __fadd_rd:fff __fadd_rn:fff __fadd_ru:fff __fadd_rz:fff __fdiv_rd:fff __fdiv_rn:fff
__fdiv_ru:fff __fdiv_rz:fff __fdividef:fff __ffs:ii __ffsll:iL __float2int_rd:if __float2int_rn:if
__float2int_ru:if __float2int_rz:if __float2ll_rd:Lf __float2ll_rn:Lf __float2ll_ru:Lf
__float2ll_rz:Lf __float2uint_rd:uf __float2uint_rn:uf __float2uint_ru:uf __float2uint_rz:uf
__float2ull_rd:Uf __float2ull_rn:Uf __float2ull_ru:Uf __float2ull_rz:Uf __float_as_int:if
__float_as_uint:uf __fma_rd:dddd __fma_rn:dddd __fma_ru:dddd __fma_rz:dddd __fmaf_rd:ffff
__fmaf_rn:ffff __fmaf_ru:ffff __fmaf_rz:ffff __fmul_rd:fff __fmul_rn:fff __fmul_ru:fff
__fmul_rz:fff __fns:uuui __frcp_rd:ff __frcp_rn:ff __frcp_ru:ff __frcp_rz:ff __frsqrt_rn:ff
__fsqrt_rd:ff __fsqrt_rn:ff __fsqrt_ru:ff __fsqrt_rz:ff __fsub_rd:fff __fsub_rn:fff __fsub_ru:fff
__fsub_rz:fff __funnelshift_l:uuuu __funnelshift_lc:uuuu __funnelshift_r:uuuu __funnelshift_rc:uuuu
__hadd:iii __hiloint2double:dii __int2double_rn:di __int2float_rd:fi __int2float_rn:fi
__int2float_ru:fi __int2float_rz:fi __int_as_float:fi __ll2double_rd:dL __ll2double_rn:dL
__ll2double_ru:dL __ll2double_rz:dL __ll2float_rd:fL __ll2float_rn:fL __ll2float_ru:fL
__ll2float_rz:fL __log10f:ff __log2f:ff __logf:ff __longlong_as_double:dL __mul24:iii __mul64hi:LLL
__mulhi:iii __popc:iu __popcll:iU __powf:fff __rhadd:iii __sad:uiiu __saturatef:ff __sincosf:vfFF
__sinf:ff __tanf:ff __tanhf:ff __threadfence:v __threadfence_block:v __threadfence_system:v
__uhadd:uuu __uint2double_rn:du __uint2float_rd:fu __uint2float_rn:fu __uint2float_ru:fu
__uint2float_rz:fu __uint_as_float:fu __ull2double_rd:dU __ull2double_rn:dU __ull2double_ru:dU
__ull2double_rz:dU __ull2float_rd:fU __ull2float_rn:fU __ull2float_ru:fU __ull2float_rz:fU
__umul24:uuu __umul64hi:UUU __umulhi:uuu __urhadd:uuu __usad:uuuu __vabs2:uu __vabs4:uu
__vabsdiffs2:uuu __vabsdiffs4:uuu __vabsdiffu2:uuu __vabsdiffu4:uuu __vabsss2:uu __vabsss4:uu
__vadd2:uuu __vadd4:uuu __vaddss2:uuu __vaddss4:uuu __vaddus2:uuu __vaddus4:uuu __vavgs2:uuu
__vavgs4:uuu __vavgu2:uuu __vavgu4:uuu __vcmpeq2:uuu __vcmpeq4:uuu __vcmpges2:uuu __vcmpges4:uuu
__vcmpgeu2:uuu __vcmpgeu4:uuu __vcmpgts2:uuu __vcmpgts4:uuu __vcmpgtu2:uuu __vcmpgtu4:uuu
__vcmples2:uuu __vcmples4:uuu __vcmpleu2:uuu __vcmpleu4:uuu __vcmplts2:uuu __vcmplts4:uuu
__vcmpltu2:uuu __vcmpltu4:uuu __vcmpne2:uuu __vcmpne4:uuu __vhaddu2:uuu __vhaddu4:uuu __vmaxs2:uuu
__vmaxs4:uuu __vmaxu2:uuu __vmaxu4:uuu __vmins2:uuu __vmins4:uuu __vminu2:uuu __vminu4:uuu
__vneg2:uu __vneg4:uu __vnegss2:uu __vnegss4:uu __vsads2:uuu __vsads4:uuu __vsadu2:uuu __vsadu4:uuu
__vseteq2:uuu __vseteq4:uuu __vsetges2:uuu __vsetges4:uuu __vsetgeu2:uuu __vsetgeu4:uuu
__vsetgts2:uuu __vsetgts4:uuu __vsetgtu2:uuu __vsetgtu4:uuu __vsetles2:uuu __vsetles4:uuu
__vsetleu2:uuu __vsetleu4:uuu __vsetlts2:uuu __vsetlts4:uuu __vsetltu2:uuu __vsetltu4:uuu
__vsetne2:uuu __vsetne4:uuu __vsub2:uuu __vsub4:uuu __vsubss2:uuu __vsubss4:uuu __vsubus2:uuu
__vsubus4:uuu abs:LL abs:dd abs:ff abs:ii abs:ll acos:dd acos:ff acosf:ff acosh:dd acoshf:ff
asin:dd asin:ff asinf:ff asinh:dd asinhf:ff atan:dd atan:ff atan2:ddd atan2:fff atan2f:fff atanf:ff
atanh:dd atanhf:ff cbrt:dd cbrtf:ff ceil:dd ceil:ff ceilf:ff copysign:ddd copysignf:fff
cos:dd cos:ff cosf:ff cosh:dd cosh:ff coshf:ff cospi:dd cospif:ff cyl_bessel_i0:dd
cyl_bessel_i0f:ff cyl_bessel_i1:dd cyl_bessel_i1f:ff erf:dd erfc:dd erfcf:ff erfcinv:dd erfcinvf:ff
erfcx:dd erfcxf:ff erff:ff erfinv:dd erfinvf:ff exp:dd exp:ff exp10:dd exp10f:ff exp2:dd exp2f:ff
expf:ff expm1:dd expm1f:ff fabs:dd fabs:ff fabsf:ff fdim:ddd fdimf:fff fdividef:fff floor:dd
floor:ff floorf:ff fma:dddd fmaf:ffff fmax:ddd fmaxf:fff fmin:ddd fminf:fff fmod:ddd fmod:fff
fmodf:fff frexp:ddI frexp:ffI frexpf:ffI hypot:ddd hypotf:fff ilogb:id ilogbf:if isfinite:id
isfinite:if isinf:id isinf:if isnan:id isnan:if j0:dd j0f:ff j1:dd j1f:ff jn:did jnf:fif labs:ll
ldexp:ddi ldexp:ffi ldexpf:ffi lgamma:dd lgammaf:ff llabs:LL llrint:Ld llrintf:Lf llround:Ld
llroundf:Lf log:dd log:ff log10:dd log10:ff log10f:ff log1p:dd log1pf:ff log2:dd log2f:ff logb:dd
logbf:ff logf:ff lrint:ld lrintf:lf lround:ld lroundf:lf max:iii min:iii modf:ddD modf:ffF
modff:ffF nan:dS nanf:fS nearbyint:dd nearbyintf:ff nextafter:ddd nextafterf:fff norm:diD
norm3d:dddd norm3df:ffff norm4d:ddddd norm4df:fffff normcdf:dd normcdff:ff normcdfinv:dd
normcdfinvf:ff normf:fiF pow:ddd pow:ddi pow:fff pow:ffi powf:fff rcbrt:dd rcbrtf:ff remainder:ddd
remainderf:fff remquo:dddI remquof:fffI rhypot:ddd rhypotf:fff rint:dd rintf:ff rnorm:diD
rnorm3d:dddd rnorm3df:ffff rnorm4d:ddddd rnorm4df:fffff rnormf:fiF round:dd roundf:ff rsqrt:dd
rsqrtf:ff scalbln:ddl scalblnf:ffl scalbn:ddi scalbnf:ffi signbit:id signbit:if sin:dd sin:ff
sincos:vdDD sincosf:vfFF sincospi:vdDD sincospif:vfFF sinf:ff sinh:dd sinh:ff sinhf:ff sinpi:dd
sinpif:ff sqrt:dd sqrt:ff sqrtf:ff tan:dd tan:ff tanf:ff tanh:dd tanh:ff tanhf:ff tgamma:dd
tgammaf:ff trunc:dd truncf:ff umin:uuu y0:dd y0f:ff y1:dd y1f:ff yn:did ynf:fif
)";

/// What is no function of numbers: types, memory, limits, atomic operations, assertions.
inline const char* const others = R"(
struct of_vectors { float3 a; int2 b; uchar4 c; dim3 d; };
__device__ double of_others(float f, int i, double x) {
  of_vectors v = {make_float3(f, 2, 3), make_int2(i, 5), make_uchar4(1, 2, 3, 4), dim3(7)};
  assert(v.a.x == f);
  int o = 1, old = atomicAdd_block(&o, 2) + atomicCAS_system(&o, 3, 9);
  float2 pair = {1, 2};
  memcpy(&v.b.x, &i, sizeof i);
  memset(&v.c, 0, 1);
  __stcg(&o, __ldcg(&o) + __ldg(&i));
  __threadfence_block();
  if (v.c.x != 0) __trap();
  v.a.y += __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), i);
  v.a.z += __dp2a_lo(make_short2(-3, 4), make_char4(5, -6, 7, 8), i);
  v.a.z += 1000 * __dp2a_hi(make_ushort2(3, 4), make_uchar4(5, 6, 7, 255), 1u);
  v.a.z += erfinv(f) + j0(f) + norm3d(f, x, 2) + jn(2, f) + (NULL == nullptr) + isnan(NAN);
  const double most = INT_MIN / 2.0 + UINT_MAX + SHRT_MAX + CHAR_BIT + FLT_MIN + DBL_EPSILON;
  return v.a.x + v.a.y + v.a.z + v.b.x + v.b.y + v.d.x + o + 10 * old + pair.y + most +
         (clock64() == clock64() + 1) + (FLT_MAX > DBL_MAX) + (LLONG_MAX == ULLONG_MAX);
}
)";

inline std::string call_of(const std::string& name, const std::string& types) {
  std::string out = name + "(";
  int doubles = 0;
  int floats = 0;
  for (size_t k = 1; k < types.size(); ++k) {
    if (k > 1) out += ", ";
    switch (types[k]) {
      case 'd':
        out += "x";
        break;
      case 'f':
        out += "f";
        break;
      case 'i':
        out += "i";
        break;
      case 'u':
        out += "u";
        break;
      case 'l':
        out += "(long)i";
        break;
      case 'L':
        out += "k";
        break;
      case 'U':
        out += "w";
        break;
      case 'S':
        out += "\"\"";
        break;
      case 'D':
        out += "q + " + std::to_string(doubles++);
        break;
      case 'F':
        out += "g + " + std::to_string(floats++);
        break;
      default:
        out += "&o";
    }
  }
  return out + ")";
}

/// `double call(int which)`, which knows every step-th function, and their number in all.
inline std::string text(int& count, int step = 1) {
  std::string out = others;
  out +=
      "__device__ double call(int which) {\n"
      "  const double x = 0.625;\n  const float f = 0.375f;\n  const int i = 3;\n"
      "  const unsigned u = 0x8040201;\n  const long long k = -77;\n"
      "  const unsigned long long w = 123456789012;\n"
      "  double q[4] = {0.5, 0.25, 3, 1};\n  float g[4] = {0.5f, 0.25f, 4, 1};\n  int o = 0;\n"
      "  switch (which) {\n    case 0: return of_others(f, i, x);\n";
  count = 1;
  std::istringstream list(signatures);
  for (std::string item; list >> item; ++count) {
    if (count % step != 0) continue;
    const size_t colon = item.find(':');
    const std::string types = item.substr(colon + 1);
    const std::string call = call_of(item.substr(0, colon), types);
    out += "    case " + std::to_string(count) + ": ";
    out += types[0] == 'v' ? call + "; return q[0] + 3 * q[1] + g[0] + 3 * g[1];\n"
                           : "return (double)" + call + " + o + 3 * q[0] + g[0];\n";
  }
  return out + "  }\n  return -1;\n}\n";
}

}  // namespace device_functions
