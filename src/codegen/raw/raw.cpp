// Puts together what stands before raw kernels, and the headers that they may include.
#include "codegen/raw/raw.hpp"

#include "codegen/prelude/prelude.hpp"
#include "codegen/prelude_host_text.hpp"
#include "codegen/prelude_text.hpp"
#include "codegen/raw_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

namespace part = prelude_parts;
namespace host_part = prelude_host_parts;

// A header that counts once, however often it is included.
std::string once(std::string_view guard, const std::string& body) {
  return formatted("#ifndef {0}\n#define {0}\n{1}#endif\n", guard, body);
}

// On CUDA the headers of the prelude need its base, which stands before everything on the host.
std::string half_header(bool host) {
  const std::string body =
      joined({{"half", part::half}, {"binary16", part::binary16}, {"brain16", part::brain16}});
  if (!host) return once("GPUARR_HALF_HEADER", "#include <gpuarr/base.cuh>\n" + body);
  return once("GPUARR_HALF_HEADER", body + joined({{"half_rounding", raw_parts::half_rounding}}));
}

std::string complex_header(bool host, const UserText& text) {
  return once("GPUARR_COMPLEX_HEADER", (host ? "" : "#include <gpuarr/base.cuh>\n") +
                                           own_names(text) +
                                           joined({{"complex", part::complex},
                                                   {"complex_math", part::complex_math},
                                                   {"complex_inverse", part::complex_inverse},
                                                   {"atomics_complex", part::atomics_complex}}));
}

// What the prelude of the host has in any case.
std::string base_header() {
  return once("GPUARR_BASE_HEADER", joined({{"base", part::base},
                                            {"constants", part::constants},
                                            {"math", part::math},
                                            {"math_cuda", part::math_cuda},
                                            {"atomics_cuda", part::atomics_cuda},
                                            {"atomics_const", part::atomics_const}}));
}

std::string views_and_loop() {
  return once("GPUARR_VIEWS_HEADER",
              joined({{"views", part::views}, {"loop_cuda", raw_parts::loop_cuda}}));
}

std::string own_header(bool host) {
  return once("GPUARR_HEADER", (host ? "" : views_and_loop()) +
                                   "#include <gpuarr/half.cuh>\n"
                                   "#include <gpuarr/complex.cuh>\n" +
                                   joined({{"dtypes", part::dtypes},
                                           {"float16", part::float16},
                                           {"bfloat16", part::bfloat16}}));
}

// Always the same, whatever the text: words may hide in the files that it includes.
std::string whole_prelude() {
  return "#define GPUARR_HOST 1\n" + joined({{"base", part::base},
                                             {"constants", part::constants},
                                             {"limits", part::limits},
                                             {"float_limits", part::float_limits},
                                             {"host/annotations", host_part::annotations},
                                             {"math", part::math},
                                             {"host/math", host_part::math},
                                             {"host/math_rare", host_part::math_rare},
                                             {"host/intrinsics", host_part::intrinsics},
                                             {"host/conversions", host_part::conversions},
                                             {"host/rounding", host_part::rounding},
                                             {"host/vectors", host_part::vectors},
                                             {"host/words", host_part::words},
                                             {"host/atomics", host_part::atomics},
                                             {"atomics_const", part::atomics_const},
                                             {"host/atomics_rare", host_part::atomics_rare},
                                             {"host/memory", host_part::memory},
                                             {"views", part::views},
                                             {"loop_host", raw_parts::loop_host}});
}

// Headers of which the prelude has what is in them.
constexpr std::string_view empty_on_host[] = {"builtin_types.h",
                                              "cuda.h",
                                              "cuda_runtime.h",
                                              "cuda_runtime_api.h",
                                              "cupy/atomics.cuh",
                                              "device_atomic_functions.h",
                                              "device_double_functions.h",
                                              "device_functions.h",
                                              "device_launch_parameters.h",
                                              "device_types.h",
                                              "driver_types.h",
                                              "host_defines.h",
                                              "math_functions.h",
                                              "sm_20_atomic_functions.h",
                                              "sm_20_intrinsics.h",
                                              "sm_30_intrinsics.h",
                                              "sm_32_atomic_functions.h",
                                              "sm_32_intrinsics.h",
                                              "sm_35_atomic_functions.h",
                                              "sm_35_intrinsics.h",
                                              "sm_60_atomic_functions.h",
                                              "sm_61_intrinsics.h",
                                              "vector_functions.h",
                                              "vector_types.h"};

// The macro stands in front of what the preprocessor made of the text, and cannot see this.
constexpr std::string_view assert_on_host =
    "#ifdef NDEBUG\n#define assert(condition) ((void)0)\n#else\n#undef assert\n#endif\n";

std::vector<RawHeader> host_headers(const UserText& text) {
  std::vector<RawHeader> result = {{"gpuarr.cuh", own_header(true)},
                                   {"gpuarr/half.cuh", half_header(true)},
                                   {"gpuarr/complex.cuh", complex_header(true, text)},
                                   {"cupy/complex.cuh", "#include <gpuarr/complex.cuh>\n"},
                                   {"thrust/complex.h", "#include <gpuarr/complex.cuh>\n"}};
  const PreludePart files[] = {
      {"assert.h", assert_on_host},
      {"cassert", "#include <assert.h>\n"},
      {"gpuarr/half_class.cuh", raw_parts::half_class},
      {"gpuarr/half_functions.cuh", raw_parts::half_functions},
      {"cuda_fp16.h", raw_parts::cuda_fp16},
      {"cuda_bf16.h", raw_parts::cuda_bf16},
      {"cuComplex.h", raw_parts::cu_complex},
      {"cooperative_groups.h", raw_parts::cooperative_groups},
      {"cooperative_groups/reduce.h", raw_parts::cooperative_groups_reduce},
      {"cooperative_groups/scan.h", "#include <cooperative_groups/reduce.h>\n"},
      {"cooperative_groups/memcpy_async.h", raw_parts::cooperative_groups_memcpy},
      {"cuda_pipeline.h", raw_parts::pipeline_host},
      {"cuda_pipeline_primitives.h", "#include <cuda_pipeline.h>\n"},
      {"math_constants.h", raw_parts::math_constants},
      {"math.h", raw_parts::math_h_host}};
  for (const PreludePart& file : files)
    result.push_back({std::string(file.name), std::string(file.text)});
  for (std::string_view name : empty_on_host) result.push_back({std::string(name), ""});
  return result;
}

// C's headers, which NVRTC does not have though their functions are built in, and two of C++.
std::vector<RawHeader> c_headers() {
  struct Row {
    std::string_view name, text, more;  // `more` is what C++'s own header adds
  };
  constexpr Row rows[] = {{"stdint", raw_parts::stdint_cuda, raw_parts::cstdint_cuda},
                          {"stddef", "", raw_parts::cstddef_cuda},
                          {"limits", part::limits, ""},
                          {"float", part::float_limits, ""},
                          {"math", part::constants, raw_parts::cmath_cuda},
                          {"stdio", "", ""},
                          {"string", "", ""},
                          {"stdlib", "", ""},
                          {"assert", "", ""}};
  std::vector<RawHeader> result;
  for (const auto& [name, text, more] : rows)
    result.push_back({formatted("{}.h", name), std::string(text)});
  for (const auto& [name, text, more] : rows)
    result.push_back({formatted("c{}", name), formatted("#include <{}.h>\n{}", name, more)});
  result.push_back({"inttypes.h", "#include <stdint.h>\n"});
  result.push_back({"limits", std::string(raw_parts::numeric_limits_cuda)});
  result.push_back({"type_traits", std::string(raw_parts::type_traits_cuda)});
  return result;
}

constexpr std::string_view own_words[] = {"GPUARR_LOOP", "gpuarr_view"};
// Nvcc has these without an include, NVRTC has not.
constexpr std::string_view constant_words[] = {
    "INFINITY", "NAN",    "HUGE_VAL", "M_E",    "M_LOG2E", "M_LOG10E",   "M_LN2",   "M_LN10",
    "M_PI",     "M_PI_2", "M_PI_4",   "M_1_PI", "M_2_PI",  "M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2"};

}  // namespace

RawEnvironment cuda_environment(const UserText& text) {
  RawEnvironment result;
  if (text.has_any(constant_words)) result.prelude += joined({{"constants", part::constants}});
  if (names_limits(text))
    result.prelude += joined({{"limits", part::limits}, {"float_limits", part::float_limits}});
  const Languages languages = languages_of(text);
  if (text.has_any(own_words) || languages != 0) result.prelude += views_and_loop();
  result.prelude += language_text(languages);
  result.headers = c_headers();
  result.headers.push_back({"gpuarr.cuh", own_header(false)});
  result.headers.push_back({"gpuarr/base.cuh", base_header()});
  result.headers.push_back({"gpuarr/half.cuh", half_header(false)});
  result.headers.push_back({"gpuarr/complex.cuh", complex_header(false, text)});
  result.headers.push_back({"cupy/complex.cuh", "#include <gpuarr/complex.cuh>\n"});
  // The toolkit's own includes what NVRTC does not have.
  result.headers.push_back({"thrust/complex.h", "#include <gpuarr/complex.cuh>\n"});
  result.headers.push_back({"cupy/atomics.cuh", "#include <gpuarr/base.cuh>\n"});
  return result;
}

RawEnvironment host_environment(const UserText& text) {
  return {whole_prelude() + language_text(languages_of(text)), host_headers(text)};
}

}  // namespace gpuarr
