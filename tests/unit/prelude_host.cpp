// Tests of the prelude on the CPU device: it compiles without a warning, and does as CUDA does.
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "core/process.hpp"
#include "core/text.hpp"
#include "host/compile/toolchain.hpp"
#include "prelude_bodies.hpp"
#include "prelude_build.hpp"

using namespace gpuarr;
using prelude_test::all_needs;

namespace {

Outcome outcome_of(const std::string& text, const std::string& standard) {
  return run_program({host::find_toolchain().path, "-x", "c++", "-std=" + standard, "-fsyntax-only",
                      "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DGPUARR_LIBMVEC=2", "-"},
                     text, "/tmp");
}

void compiles(const std::string& text, const std::string& standard) {
  const Outcome outcome = outcome_of(text, standard);
  CHECK_EQ(outcome.log, "");
  CHECK(outcome.exited_well());
}

void every_pair_compiles() {
  std::set<std::string> texts;
  for (unsigned mask = 0; mask < 256; ++mask) {
    if (std::popcount(mask) > 2) continue;
    PreludeNeeds needs;
    bool* flags[] = {&needs.half,         &needs.bfloat16,        &needs.complex,
                     &needs.complex_math, &needs.complex_inverse, &needs.views,
                     &needs.intrinsics,   &needs.atomics};
    for (unsigned bit = 0; bit < 8; ++bit) *flags[bit] = (mask >> bit & 1) != 0;
    texts.insert(host_prelude(needs));
  }
  CHECK(texts.size() > 30);
  for (const std::string& text : texts) compiles(text, "c++17");
}

void bodies_compile() {
  const std::string prelude = host_prelude(all_needs());
  const std::string body = prelude_test::everything("");
  for (const char* standard : {"c++17", "gnu++17", "c++20"}) compiles(prelude + body, standard);
  // The user may include what there is, and it may come first, by an option.
  for (const char* headers : {"#include <cmath>\n", "#include <cstdint>\n#include <complex>\n",
                              "#include <algorithm>\n#include <memory>\n#include <random>\n"}) {
    compiles(formatted("{}{}{}", prelude, headers, body), "c++17");
    compiles(formatted("{}{}{}", headers, prelude, body), "c++17");
  }
}

void atomics_of_const_are_errors() {
  const std::string prelude = host_prelude(all_needs());
  const std::string each = outcome_of(prelude + prelude_test::atomics_of_const(""), "c++17").log;
  for (std::string_view name : prelude_test::atomics)
    CHECK(each.find(formatted("{} through a pointer to const", name)) != each.npos);
  const std::string sums = outcome_of(prelude + prelude_test::additions_to_const(""), "c++17").log;
  CHECK(prelude_test::occurrences(sums, "atomicAdd through a pointer to const") >=
        prelude_test::atomic_types.size());
}

// Each line must hold; the first that does not is the result.
constexpr std::string_view truths = R"(
#define MUST(...) if (!(__VA_ARGS__)) return __LINE__;
#line 1 "truths"
extern "C" int truths(float nan, float zero) {
  MUST(max(nan, 2.0f) == 2 && max(2.0f, nan) == 2 && min(nan, 2.0f) == 2 && min(2.0f, nan) == 2)
  MUST(isnan(max(nan, nan)) && fmax(nan, 1) == 1 && fmaxf(1, nan) == 1 && max(-1, 1u) == 0xffffffff)
  MUST(isnan(nan) && !isnan(zero) && isinf(1 / zero) && !isfinite(nan) && signbit(-zero))
  MUST(round(2.5f) == 3 && round(-2.5f) == -3 && round(0.49999997f) == 0 &&
       round(8388609.f) == 8388609)
  MUST(round(0.49999999999999994) == 0 && round(4503599627370497.) == 4503599627370497.)
  MUST(rint(2.5f) == 2 && lround(-0.5f) == -1 && llrint(3.5) == 4 && abs(-3) == 3 &&
       abs(-2.5) == 2.5)
  MUST(abs(-3000000000ll) == 3000000000ll && abs(3u) == 3 && !signbit(abs(-zero)) && sin(0) == 0)
  MUST(sinpi(1.0f) == 0 && sinpi(0.5) == 1 && sinpi(1.5) == -1 && sinpi(2.5) == 1 &&
       cospi(1.0) == -1)
  MUST(cospi(0.5f) == 0 && cospi(3.0f) == -1 && cospi(0) == 1 && isnan(sinpi(1 / zero)))
  MUST(fabs(sinpi(1.0 / 6) - 0.5) < 1e-15 && fabs(cospi(-1.0 / 3) - 0.5) < 1e-15)
  MUST(rsqrt(4.0f) == 0.5f && rcbrt(8.0) == 0.5 && normcdf(0.0) == 0.5 && exp10(2.0) == 100)
  MUST(pow(2, 10) == 1024 && pow(2.0f, 3) == 8 && ldexp(1.5f, 3) == 12 && ilogb(8.0f) == 3)
  int e; float w; MUST(frexp(12.0f, &e) == 0.75f && e == 4 && modf(2.5f, &w) == 0.5f && w == 2)
  double s, c; sincos(1.0, &s, &c); MUST(fabs(s * s + c * c - 1) < 1e-15 && s > c && s < 1)
  MUST(__popc(0xf0f0) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32)
  MUST(__clzll(1) == 63 && __clzll(0) == 64 && __ffs(8) == 4 && __ffs(0) == 0 &&
       __ffsll(1ll << 40) == 41)
  MUST(__brev(1) == 0x80000000 && __brev(0x12345678) == 0x1e6a2c48 && __brevll(2) == 1ull << 62)
  MUST(__mul24(3, -5) == -15 && __mul24(0x01000003, 2) == 6 && __umul24(0xff000002, 3) == 6)
  MUST(__mulhi(1 << 30, 8) == 2 && __mulhi(-1, 1) == -1 && __umulhi(1u << 31, 4) == 2)
  MUST(__mul64hi(1ll << 62, 8) == 2 && __umul64hi(1ull << 63, 4) == 2 && __mul64hi(-1, 1) == -1)
  MUST(__hadd(-3, 2) == -1 && __rhadd(-3, 2) == 0 && __sad(2, 5, 1) == 4 && __usad(5, 2, 1) == 4)
  MUST(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2)
  MUST(__double_as_longlong(1.0) == 0x3ff0000000000000 && __hiloint2double(0x40000000, 0) == 2)
  MUST(__double2hiint(2.0) == 0x40000000 && __double2loint(2.0) == 0 &&
       __hiloint2double(-1, -1) != 0)
  MUST(__saturatef(nan) == 0 && __saturatef(2) == 1 && __saturatef(0.25f) == 0.25f)
  MUST(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.5f) == -2 && __float2int_ru(2.1f) == 3)
  MUST(__fdividef(1, 4) == 0.25f && __expf(0) == 1 && __powf(2, 3) == 8 && __logf(1) == 0)
  unsigned u = 5; MUST(atomicInc(&u, 5) == 5 && u == 0 && atomicInc(&u, 5) == 0 && u == 1)
  MUST(atomicDec(&u, 5) == 1 && u == 0 && atomicDec(&u, 5) == 0 && u == 5 &&
       atomicSub(&u, 2) == 5 && u == 3)
  int i = 7; MUST(atomicAdd(&i, 1) == 7 && atomicMax(&i, 20) == 8 && atomicMin(&i, 3) == 20 &&
       i == 3)
  MUST(atomicCAS(&i, 4, 9) == 3 && i == 3 && atomicCAS(&i, 3, 9) == 3 && i == 9 &&
       atomicExch(&i, 6) == 9)
  MUST(atomicAnd(&i, 3) == 6 && atomicOr(&i, 8) == 2 && atomicXor(&i, 15) == 10 && i == 5)
  float f = 1; MUST(atomicAdd(&f, 1.5) == 1 && f == 2.5f && atomicMax(&f, 4) == 2.5f && f == 4)
  double d = 1; MUST(atomicAdd(&d, 1.5) == 1 &&
       d == 2.5); long long l = 1; atomicAdd(&l, -3); MUST(l == -2)
  float16 h = 1; MUST(atomicAdd(&h, 0.5) == 1 && h == 1.5); complex64 z(1, 2); atomicAdd(&z, z * 2);
  MUST(z == complex64(3, 6)); complex128 q(1, 2); atomicAdd(&q, z); MUST(q == complex128(4, 8))
  const complex64 odd(9, nan); MUST(complex64(1, 9) < complex64(2, 0) && !(odd < z) && !(odd > z))
  MUST(complex64(1, 2) < complex128(1, 3) && z <= z && !(z < z) && z >= z && !(odd <= odd))
  short small = 3; MUST(atomicAdd(&small, 4) == 3 && small == 7)

  float data[24]; for (int k = 0; k < 24; ++k) data[k] = k;
  const gpuarr_view<float, 3, true> whole = {data, 24, {2, 3, 4}, {12, 4, 1}};
  const gpuarr_view<const float, 3, false> same = {data, 24, {2, 3, 4}, {12, 4, 1}};
  const gpuarr_view<const float, 2, false> turned = {data + 23, 8, {4, 2}, {-1, -12}};
  const gpuarr_view<float, 0, true> point = {data + 5, 1, {}, {}};
  const gpuarr_view<const float, 1, false> column = {data + 1, 6, {6}, {4}};
  for (int k = 0; k < 24; ++k) MUST(whole[k] == k && same[k] == k);
  for (int k = 0; k < 8; ++k) MUST(turned[k] == 23 - k / 2 - k % 2 * 12 &&
       turned(k / 2, k % 2) == turned[k]);
  for (int k = 0; k < 24; ++k) {
    const gpuarr_index<3> _ind = {k, 24, {2, 3, 4}};
    MUST(_ind.get()[0] == k / 12 && _ind.get()[1] == k / 4 % 3 && _ind.get()[2] == k % 4)
    MUST(same[_ind.get()] == k && _ind.size() == 24 && _ind.shape()[2] == 4)
  }
  const int at[3] = {1, 2, 3}; MUST(same[at] == 23 && whole(1, 2, 3) == 23 && column[5] == 21 &&
       column(2) == 9)
  MUST(point[0] == 5 && point() == 5 && point.size() == 1 && point.ndim == 0 &&
       turned.strides()[0] == -1)
  whole(0, 1, 0) = 100; MUST(data[4] == 100 && turned.shape()[0] == 4 && whole.size() == 24)
  const gpuarr_index<2> far = {(5ll << 32) + 7, 1ll << 40, {1 << 10, 1ll << 30}};
  MUST(far.get()[0] == 20 && far.get()[1] == 7)
  const gpuarr_index<2> wide = {4000000000ll, 1ll << 40, {2, 1ll << 39}};
  MUST(wide.get()[0] == 0 && wide.get()[1] == 4000000000ll)
  const gpuarr_index<0> none = {0, 1, {}}; MUST(none.size() == 1 && none.get()[0] == 0)
  return 0;
}
)";

void does_as_cuda_does(const std::string& compiler) {
  prelude_test::Built built{std::string(truths)};
  auto* run = built.find<int(float, float)>("truths");
  CHECK(run != nullptr);
  if (run == nullptr) return;
  const int line = run(__builtin_nanf(""), 0.0F);
  if (line != 0) check::report(__FILE__, __LINE__) << compiler << ": truths, line " << line << '\n';
}

}  // namespace

int main() {
  prelude_test::for_each_compiler([](const std::string& compiler) {
    every_pair_compiles();
    bodies_compile();
    atomics_of_const_are_errors();
    does_as_cuda_does(compiler);
  });
  return check::result();
}
