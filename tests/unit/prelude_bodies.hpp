// Lines of a kernel's body that must compile alike on every device, with the type of each.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace prelude_test {

struct Line {
  std::string_view expression;
  std::string_view type;
};

// f, g: float; d: double; i: int; u: unsigned; l: long long; s: short; b: bool; h, k: float16;
// w: bfloat16; z, y: complex64; c: complex128. All are const references, as in a kernel.
inline constexpr Line lines[] = {
    {"sin(f)", "float"},
    {"sin(d)", "double"},
    {"sin(i)", "double"},
    {"sin(s)", "double"},
    {"sin(h)", "float"},
    {"sqrt(2)", "double"},
    {"exp(l)", "double"},
    {"sinf(f)", "float"},
    {"pow(f, 2)", "float"},
    {"pow(f, f)", "float"},
    {"pow(f, d)", "double"},
    {"pow(d, i)", "double"},
    {"pow(i, i)", "double"},
    {"pow(2, f)", "float"},
    {"pow(h, 2)", "float"},
    {"pow(h, k)", "float"},
    {"atan2(f, 1)", "float"},
    {"atan2(i, i)", "double"},
    {"hypot(f, d)", "double"},
    {"fmod(f, 2)", "float"},
    {"copysign(f, -1.0f)", "float"},
    {"max(f, g)", "float"},
    {"max(f, 0)", "float"},
    {"max(0, f)", "float"},
    {"max(f, 1.0)", "double"},
    {"max(i, u)", "unsigned"},
    {"max(l, 0)", "long long"},
    {"max(s, s)", "int"},
    {"min(b, b)", "int"},
    {"min(h, k)", "float"},
    {"min(h, 0)", "float"},
    {"max(w, h)", "float"},
    {"z < y", "bool"},
    {"z >= c", "bool"},
    {"fmax(f, 1)", "float"},
    {"fmin(i, i)", "double"},
    {"fma(f, f, 1)", "float"},
    {"fma(d, f, 1)", "double"},
    {"fma(h, k, h)", "float"},
    {"abs(i)", "int"},
    {"abs(l)", "long long"},
    {"abs(f)", "float"},
    {"abs(u)", "unsigned"},
    {"abs(h)", "float"},
    {"fabs(i)", "double"},
    {"round(f)", "float"},
    {"round(h)", "float"},
    {"lround(f)", "long"},
    {"llrint(d)", "long long"},
    {"isnan(f)", "int"},
    {"isnan(h)", "int"},
    {"isinf(d)", "int"},
    {"isfinite(w)", "int"},
    {"signbit(f)", "int"},
    {"rsqrt(f)", "float"},
    {"rcbrt(d)", "double"},
    {"normcdf(f)", "float"},
    {"sinpi(f)", "float"},
    {"cospi(d)", "double"},
    {"exp10(f)", "float"},
    {"ldexp(f, 2)", "float"},
    {"ilogb(f)", "int"},
    {"erf(d)", "double"},
    {"tgamma(f)", "float"},
    {"fdim(f, g)", "float"},
    {"h + k", "float"},
    {"h + 1", "float"},
    {"h * 2.5f", "float"},
    {"h * 2.5", "double"},
    {"h + w", "float"},
    {"-h", "float"},
    {"h < 0", "bool"},
    {"h == 0", "bool"},
    {"!h", "bool"},
    {"h < 0 ? -h : h + 0", "float"},
    {"h < 0 ? (float16)0 : float16(h)", "float16"},
    {"(float16)w", "float16"},
    {"(int)h", "int"},
    {"z + y", "complex64"},
    {"z + c", "complex128"},
    {"2 * z", "complex64"},
    {"z * 3", "complex64"},
    {"z + 1.0f", "complex64"},
    {"z * 2.0", "complex128"},
    {"1 / z", "complex64"},
    {"z / h", "complex64"},
    {"l - c", "complex128"},
    {"-z", "complex64"},
    {"z == y", "bool"},
    {"z != 1", "bool"},
    {"0 == c", "bool"},
    {"z.real()", "float"},
    {"imag(c)", "double"},
    {"abs(z)", "float"},
    {"norm(c)", "double"},
    {"arg(z)", "float"},
    {"conj(z)", "complex64"},
    {"conj(f)", "float"},
    {"polar(f, g)", "complex64"},
    {"polar(1, d)", "complex128"},
    {"proj(z)", "complex64"},
    {"exp(z)", "complex64"},
    {"log10(c)", "complex128"},
    {"pow(z, 2)", "complex64"},
    {"pow(z, 0.5)", "complex128"},
    {"pow(z, y)", "complex64"},
    {"pow(2, z)", "complex64"},
    {"sqrt(complex<double>(z))", "complex128"},
    {"thrust::exp(z)", "complex64"},
    {"thrust::complex<float>(f, 1)", "complex64"},
    {"acosh(z)", "complex64"},
    {"isnan(z)", "int"},
    {"x(1, 2)", "const float&"},
    {"x[l]", "const float&"},
    {"x[0]", "const float&"},
    {"x[u]", "const float&"},
    {"x[_ind.get()]", "const float&"},
    {"x[pair]", "const float&"},
    {"x.size()", "long long"},
    {"x.shape()[0]", "const long long&"},
    {"_ind.get()[1]", "long long"},
    {"_ind.size()", "long long"},
};

// Statements, beside the declarations of `lines`; t is a float16, a a complex64.
inline constexpr std::string_view statements = R"(
  float16 t = 1; t = f; t = d; t = l; t = u; t = b; t = w; t = h + k; t += f; t -= 1; t *= 2.0;
  t /= k; ++t; t--; t = h ? h : k; float from = t; double wide = t; int cut = t; bool any = t;
  bfloat16 v = h; v = 2.5; v += h; float16 pack[2] = {h, k}; t = pack[i & 1];
  if (t < 0 && !any) t = 0;
  complex64 a = z; a = c; a = 1; a = h; a = 2.5; a += c; a -= 1; a *= 2.0f; a /= z; a.imag(f);
  complex128 e = z; e = f; e = a * e; complex64 q(1, 2.0); q = complex64(h, 0);
  float sine, cosine; sincos(f, &sine, &cosine); int exponent; from = frexp(f, &exponent);
  from += INFINITY + NAN + M_PI + (float)M_SQRT1_2; int64_t big = l; uint8_t byte = 3; size_t n = 1;
  int32 i32 = i; uint16 u16 = 1; float64 f64 = d; int64 i64 = l;
  from += __popc(u) + __clz(i) + __float_as_int(f) + __expf(f) + __fdividef(f, g) + __saturatef(f);
  atomicAdd(counters, 1); atomicMax(counters, 2); atomicAdd(longs, 1); atomicAdd(floats, 1);
  atomicAdd(floats, 2.5); atomicMin(floats, 1.0f); atomicAdd(halves, 1.5f); atomicAdd(&a, z);
  atomicCAS(counters, 1, 2); atomicExch(floats, 1.0f); atomicAnd(counters, 1);
  out[0] = (float)(from + wide + cut + (float)v + sine + cosine + exponent + big + byte + n + i32 +
                   u16 + f64 + i64) + q.real() + e.real() + (float)t;
)";

/// A kernel with all of it, to go behind a prelude that has everything.
inline std::string everything(std::string_view qualifiers) {
  std::string text = R"(
#line 1 "bodies"
template <class A, class B> struct same_type { static constexpr bool value = false; };
template <class A> struct same_type<A, A> { static constexpr bool value = true; };
struct Everything {
  float f, g; double d; int i; unsigned u; long long l; short s; bool b; float16 h, k; bfloat16 w;
  complex64 z, y; complex128 c; gpuarr_view<const float, 2, false> x;
  float* out; int* counters; long long* longs; float* floats; float16* halves;
};
extern "C" )" + std::string(qualifiers) +
                     R"( void everything(const Everything p) {
  const float &f = p.f, &g = p.g; const double& d = p.d; const int& i = p.i;
  const unsigned& u = p.u; const long long& l = p.l; const short& s = p.s; const bool& b = p.b;
  const float16 &h = p.h, &k = p.k; const bfloat16& w = p.w; const complex64 &z = p.z, &y = p.y;
  const complex128& c = p.c; const auto& x = p.x; const int pair[2] = {i, i};
  const gpuarr_index<2> _ind = {l, 12, {3, 4}};
  float* out = p.out; int* counters = p.counters; long long* longs = p.longs;
  float* floats = p.floats; float16* halves = p.halves;
)";
  int count = 0;
  for (const Line& line : lines) {
    const std::string name = "line" + std::to_string(++count), expression(line.expression);
    text += "  static_assert(same_type<decltype(" + expression + "), " + std::string(line.type) +
            ">::value, \"type of " + expression + "\"); ";
    text += "const auto " + name + " = " + expression + "; (void)" + name + ";\n";
  }
  return text + std::string(statements) + "}\n";
}

inline constexpr auto atomics = std::to_array<std::string_view>(
    {"atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicInc", "atomicDec",
     "atomicAnd", "atomicOr", "atomicXor", "atomicCAS"});

/// A kernel that changes what it may only read, by each atomic operation of an unsigned.
inline std::string atomics_of_const(std::string_view qualifiers) {
  std::string text = "extern \"C\" " + std::string(qualifiers) + " void k(const unsigned* p) {\n";
  for (std::string_view name : atomics)
    text += "  " + std::string(name) + (name == "atomicCAS" ? "(p, 1, 2);\n" : "(p, 1);\n");
  return text + "}\n";
}

inline constexpr auto atomic_types = std::to_array<std::string_view>(
    {"short", "unsigned short", "int", "unsigned", "long long", "unsigned long long", "float",
     "double", "float16", "bfloat16", "complex64", "complex128"});

/// A kernel that adds to what it may only read, of each type.
inline std::string additions_to_const(std::string_view qualifiers) {
  std::string parameters, text;
  for (std::string_view type : atomic_types) {
    const std::string name = "p" + std::to_string(parameters.size());
    parameters += (parameters.empty() ? "const " : ", const ") + std::string(type) + "* " + name;
    text += "  atomicAdd(" + name + ", *" + name + ");\n";
  }
  return "extern \"C\" " + std::string(qualifiers) + " void k(" + parameters + ") {\n" + text +
         "}\n";
}

inline size_t occurrences(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace prelude_test
