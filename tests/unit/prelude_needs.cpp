// Tests of choosing what goes before a kernel.
#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "codegen/prelude/prelude.hpp"
#include "codegen/prelude_text.hpp"
#include "codegen/targets.hpp"

using namespace gpuarr;

namespace {

PreludeNeeds needs(const std::vector<DType>& dtypes, const std::vector<UserText>& texts) {
  std::vector<const UserText*> all;
  all.reserve(texts.size());
  for (const UserText& text : texts) all.push_back(&text);
  return needs_of(dtypes, all);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void comes_from_dtypes() {
  PreludeNeeds none = needs({DType::f32, DType::i64, DType::boolean}, {"z = x * y"});
  CHECK(!none.half && !none.bfloat16 && !none.complex && !none.complex_math);
  CHECK(!none.complex_inverse && !none.views && !none.intrinsics && !none.atomics);
  CHECK(needs({DType::f16}, {}).half);
  CHECK(!needs({DType::f16}, {}).bfloat16);
  CHECK(needs({DType::f32, DType::bf16}, {}).bfloat16);
  CHECK(needs({DType::c64}, {}).complex);
  CHECK(needs({DType::c128}, {}).complex);
}

void comes_from_words() {
  CHECK(needs({}, {"float16 t = 1;"}).half);
  CHECK(!needs({}, {"bfloat16 t = 1;"}).half);
  CHECK(needs({}, {"", "bfloat16 t = 1;"}).bfloat16);
  CHECK(needs({}, {"z = complex128(1, 2);"}).complex);
  CHECK(needs({}, {"complex <float> t;"}).complex);
  CHECK(needs({}, {"z = conj(x)"}).complex);
  CHECK(!needs({}, {"struct complex { float re, im; };"}).complex);  // the user's own
  CHECK(!needs({}, {"z = my_complex64 + float16x2"}).complex);
  CHECK(!needs({}, {"z = my_complex64 + float16x2"}).half);
  CHECK(needs({}, {"atomicAdd(&y[0], 1)"}).atomics);
  CHECK(needs({}, {"z = __popc(x)"}).intrinsics);
  CHECK(!needs({}, {"__device__ float f() { return 1; }"}).intrinsics);
  CHECK(needs({}, {"z = _ind.get()[0]"}).views);
  CHECK(needs({}, {"z = y0(x)"}).rare_math);
  CHECK(!needs({}, {"y0 = x"}).rare_math);  // a result
}

// What is quoted and what is a comment needs nothing; what follows it does.
void comes_from_no_comment() {
  for (const char* text :
       {"// float16", "x; // float16\\n still", "/* float16\nfloat16 */ x", "/* float16",
        "\"float16\"", "f(\"\\\"float16\")", "'\"' + x /* \" float16 */", "R\"(\" float16)\"",
        "u8R\"x(\" float16 )y\" float16)x\"", "R\"no end float16", "\"// float16"})
    CHECK(!needs({}, {text}).half);
  for (const char* text :
       {"// x\nfloat16", "/* x */float16", "\"//\", float16", "'\"' + float16(1)",
        "'\\''; float16 x", "1'000'000 * float16(2)", "#error don't\nfloat16 x;",
        "L'a' + float16(1)", "\"open\nfloat16", "R\"(/*)\" + float16", "R\"a(\")b\")a\", float16",
        "PR\"(\" + float16", "x / float16(2)"})
    CHECK(needs({}, {text}).half);
}

void functions_of_complex_numbers_need_complex_numbers() {
  CHECK(!needs({DType::f32}, {"z = exp(x)"}).complex_math);
  CHECK(needs({DType::c64}, {"z = exp(x)"}).complex_math);
  CHECK(!needs({DType::c64}, {"z = expo(x)"}).complex_math);
  CHECK(!needs({DType::c64}, {"z = exp(x)"}).complex_inverse);
  CHECK(needs({DType::c64}, {"z = acosh(x)"}).complex_inverse);
  CHECK(needs({DType::c64}, {"z = acosh(x)"}).complex_math);
}

std::string vector_lines(const std::vector<DType>& dtypes, const std::string& text) {
  return vector_math_text(needs(dtypes, {text}).vector_math);
}

void functions_of_libmvec_are_named() {
  CHECK(vector_lines({}, "z = x * sqrt(y) + abs(x)").empty());
  for (const char* text : {"z = exp(x)", "z = expf(x)", "z = __expf(x)", "#define F exp"})
    CHECK(vector_lines({}, text) == "GPUARR_LIBMVEC1(1, exp)\n");
  for (const char* text : {"erf(x)", "erff(x)"})
    CHECK(vector_lines({}, text) == "GPUARR_LIBMVEC2(1, erf)\n");
  CHECK(vector_lines({}, "rcbrtf(x)") == "GPUARR_LIBMVEC2(1, cbrt)\n");
  CHECK(vector_lines({}, "sincos(x, &y, &z)") ==
        "GPUARR_LIBMVEC1(1, sin)\nGPUARR_LIBMVEC1(1, cos)\n");
  CHECK(vector_lines({DType::c64}, "abs(x)") == "GPUARR_LIBMVEC2(2, hypot)\n");
  CHECK(has(vector_lines({DType::c64}, "exp(x)"), "(1, sin)\n"));
  CHECK(has(vector_lines({DType::c64}, "acos(x)"), "(1, asinh)\n"));
  CHECK(has(vector_lines({}, "erfcx(x)"), "(1, erfc)\n"));
  CHECK(vector_lines({}, "#include \"mine.cuh\"") == vector_math_text(all_vector_math));
  const PreludeNeeds exp = needs({}, {"exp(x)"});
  CHECK(has(host_prelude(exp), "\nGPUARR_LIBMVEC1(1, exp)\n"));
  CHECK(!has(host_prelude(needs({}, {"sqrt(x)"})), "GPUARR_LIBMVEC1"));
  CHECK(!has(cuda_prelude(exp), "GPUARR_LIBMVEC1"));
}

// The table has what math.cuh declares as vectorisable.
void no_function_of_libmvec_is_forgotten() {
  int declared = 0;
  const UserText math(prelude_parts::math);
  for (const UserText::Word& word : math.words()) {
    const std::string name(word.text);
    for (const char* opening :
         {"\nGPUARR_ANGLE(", "\nGPUARR_MATH1(GPUARR_SIMD1, ", "\nGPUARR_MATH1(GPUARR_SIMD2, ",
          "\nGPUARR_MATH2(GPUARR_SIMD1, ", "\nGPUARR_MATH2(GPUARR_SIMD2, "}) {
      const std::string line = opening + name + ")\n";
      if (!has(std::string(prelude_parts::math), line)) continue;
      const bool angle = line.starts_with("\nGPUARR_ANGLE");
      const char level = angle ? '1' : line[line.find("SIMD") + 4];
      const char arguments = angle ? '1' : line[line.find("MATH") + 4];
      CHECK(vector_lines({}, name) ==
            formatted("GPUARR_LIBMVEC{}({}, {})\n", level, arguments, name));
      ++declared;
    }
  }
  const std::string all = vector_math_text(all_vector_math);
  CHECK_EQ(declared, std::ranges::count(all, '\n'));
}

void text_has_what_is_needed() {
  const std::string plain = cuda_prelude({});
  CHECK(has(plain, "typedef long long int64;"));
  CHECK(!has(plain, "float16") && !has(plain, "complex64") && !has(plain, "gpuarr_view"));
  PreludeNeeds all;
  all.half = all.bfloat16 = all.complex_inverse = all.views = all.intrinsics = all.atomics = true;
  for (const Target* target : {&cuda_target, &host_target}) {
    const std::string text = target->prelude(all);
    CHECK(has(text, "float16;") && has(text, "complex64;") && has(text, "struct gpuarr_view"));
    CHECK(has(text, "asinh_parts") && has(text, "norm_minus_one"));  // one rests on the other
    CHECK(!has(text, "\n#include"));
    CHECK(has(text, "__mul24") == (target == &host_target));
  }
}

}  // namespace

int main() {
  comes_from_dtypes();
  comes_from_words();
  comes_from_no_comment();
  functions_of_complex_numbers_need_complex_numbers();
  functions_of_libmvec_are_named();
  no_function_of_libmvec_is_forgotten();
  text_has_what_is_needed();
  return check::result();
}
