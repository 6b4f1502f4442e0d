// What is read off the spelling of a raw kernel's parameters.
#include "kernel/text/parameter_type.hpp"

#include "check.hpp"
#include "core/error.hpp"

using namespace gpuarr;
using Kind = ParameterType::Kind;

namespace {

void check_type(const char* spelling, Kind kind, std::optional<DType> dtype, const char* clean) {
  const ParameterType t = parse_type(spelling);
  CHECK(t.kind == kind);
  CHECK(t.dtype == dtype);
  CHECK_EQ(t.spelling, std::string(clean));
}

void spellings_of_one_type_are_one() {
  for (const char* spelling : {"const float*", "float const*", "const float *", "float const *",
                               "const float* __restrict__", "float const* const"})
    check_type(spelling, Kind::pointer, DType::f32, "const float*");
  check_type("float*", Kind::pointer, DType::f32, "float*");
  check_type("unsigned long long", Kind::value, DType::u64, "unsigned long long");
  check_type("unsigned", Kind::value, DType::u32, "unsigned");
  check_type("long int", Kind::value, DType::i64, "long int");
  check_type("const int", Kind::value, DType::i32, "int");
  check_type("signed char", Kind::value, DType::i8, "signed char");
  check_type("short unsigned int", Kind::value, DType::u16, "short unsigned int");
  check_type("bool", Kind::value, DType::boolean, "bool");
  check_type("double", Kind::value, DType::f64, "double");
  check_type("size_t", Kind::value, DType::u64, "size_t");
  check_type("int64", Kind::value, DType::i64, "int64");
  check_type("complex128*", Kind::pointer, DType::c128, "complex128*");
}

void classes_are_known_by_size_only() {
  check_type("float4", Kind::unknown, std::nullopt, "float4");
  check_type("long double", Kind::unknown, std::nullopt, "long double");
  check_type("const struct ns::params", Kind::unknown, std::nullopt, "ns::params");
  check_type("float4*", Kind::pointer, std::nullopt, "float4*");
  check_type("void*", Kind::pointer, std::nullopt, "void*");
  check_type("const char*", Kind::pointer, std::nullopt, "const char*");
  check_type("float**", Kind::pointer, std::nullopt, "float**");
  check_type("T", Kind::unknown, std::nullopt, "T");
  check_type("float (*)(float)", Kind::unknown, std::nullopt, "float(*)(float)");
  check_type("float (*)[4]", Kind::unknown, std::nullopt, "float(*)[4]");
  check_type("const float&", Kind::unknown, std::nullopt, "const float&");
  CHECK(parse_type("").kind == Kind::unknown);
}

void types_of_16_bits_and_complex_ones() {
  check_type("__half", Kind::value, DType::f16, "__half");
  check_type("__nv_bfloat16 const*", Kind::pointer, DType::bf16, "const __nv_bfloat16*");
  check_type("gpuarr_prelude::short_float<gpuarr_prelude::binary16>*", Kind::pointer, DType::f16,
             "gpuarr_prelude::short_float<gpuarr_prelude::binary16>*");
  check_type("gpuarr_prelude::complex<float>", Kind::value, DType::c64,
             "gpuarr_prelude::complex<float>");
  check_type("const cuda::std::complex<double>*", Kind::pointer, DType::c128,
             "const cuda::std::complex<double>*");
}

void views() {
  const ParameterType t = parse_type("gpuarr_view<float const, 2, false>");
  CHECK(t.kind == Kind::view && t.dtype == DType::f32 && t.ndim == 2 && !t.contiguous);
  const ParameterType c = parse_type("gpuarr_view<gpuarr_prelude::complex<double>, 0, true>");
  CHECK(c.kind == Kind::view && c.dtype == DType::c128 && c.ndim == 0 && c.contiguous);
  CHECK(parse_type("gpuarr_view<float, N>").kind == Kind::unknown);
}

std::string listed(const std::optional<std::vector<NamedType>>& types) {
  if (!types) return "nothing";
  std::string out;
  for (const NamedType& t : *types) out += formatted("[{}|{}]", t.type.spelling, t.name);
  return out;
}

void declared_lists() {
  CHECK_EQ(listed(parse_declared("const float* x, float *y, unsigned int n")),
           std::string("[const float*|x][float*|y][unsigned int|n]"));
  CHECK_EQ(listed(parse_declared("float*, int, float v[]")),
           std::string("[float*|][int|][float*|v]"));
  CHECK_EQ(listed(parse_declared("")), std::string(""));
  CHECK_EQ(listed(parse_declared("void")), std::string(""));
  CHECK_EQ(listed(parse_declared("params p, gpuarr_view<float, 2> v")),
           std::string("[params|p][gpuarr_view<float, 2>|v]"));
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "parameter 1 of \"int n,\" has no type",
              [] { parse_declared("int n,"); });
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "params has \";\"", [] { parse_declared("int n; int m"); });
}

void demangled_names() {
  CHECK_EQ(listed(parse_demangled("saxpy(float, float const*, float*, int)")),
           std::string("[float|][const float*|][float*|][int|]"));
  CHECK_EQ(listed(parse_demangled("void ns::scale<float, (kind)2>(float*, pair<int, float>)")),
           std::string("[float*|][pair<int, float>|]"));
  CHECK_EQ(listed(parse_demangled("empty()")), std::string(""));
  CHECK_EQ(listed(parse_demangled("table")), std::string("nothing"));
  CHECK_EQ(listed(parse_demangled("")), std::string("nothing"));
}

const char* const source = R"(
typedef double real;
__constant__ float weights[16], more;  // __device__ int no;
__device__ unsigned long long counter = 0, other;
__device__ float twice(float x) { return 2 * x; }
static __device__ __constant__ const int3 triple[2];
extern "C" __global__ void __launch_bounds__(256, 2) saxpy(float a, const float* __restrict__ x,
                                                           float* y /* in, out */, size_t n) {
  y[0] = twice(a) + x[0] + n;
}
namespace inner {
__global__ void __cluster_dims__(2) plain(real r, int m = 3);
}
__global__ void twins(int a);
__global__ void twins(float a);
#define NAME macro
__global__ void conditional(
#ifdef A
  int a
#endif
);
)";

void lists_in_a_source() {
  CHECK_EQ(listed(parse_source(source, "saxpy")),
           std::string("[float|a][const float*|x][float*|y][size_t|n]"));
  CHECK_EQ(listed(parse_source(source, "inner::plain")), std::string("[real|r][int|m]"));
  for (const char* name : {"twins", "conditional", "twice", "nowhere"})
    CHECK_EQ(listed(parse_source(source, name)), std::string("nothing"));
  CHECK_EQ(kernels_of(source).size(), 4U);
  CHECK_EQ(kernels_of(source)[1], std::string("plain"));
}

void variables_in_a_source() {
  CHECK_EQ(variable_type(source, "weights"), std::string("float"));
  CHECK_EQ(variable_type(source, "counter"), std::string("unsigned long long"));
  CHECK_EQ(variable_type(source, "triple"), std::string("int3"));
  for (const char* name : {"twice", "no", "nowhere"})
    CHECK_EQ(variable_type(source, name), std::string(""));
  CHECK(has_variables(source));
  CHECK(!has_variables("__device__ float f(float x) { return x; } __global__ void k() {}"));
}

}  // namespace

int main() {
  spellings_of_one_type_are_one();
  classes_are_known_by_size_only();
  types_of_16_bits_and_complex_ones();
  views();
  declared_lists();
  demangled_names();
  lists_in_a_source();
  variables_in_a_source();
  return check::result();
}
