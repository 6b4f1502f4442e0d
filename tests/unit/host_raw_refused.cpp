// CUDA C++ that does not compile on the CPU device: what is said, of which line.
#include <string>
#include <vector>

#include "check.hpp"
#include "raw_build.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

// "file:line:column: message" of each error, a line each; and the log behind.
std::string errors_of(const RawSource& source) {
  try {
    host_device().compile_raw(source);
  } catch (const CompileError& error) {
    std::string out;
    for (const Diagnostic& d : error.diagnostics())
      if (d.is_error) out += formatted("{}:{}:{}: {}\n", d.file, d.line, d.column, d.message);
    return out + "log: " + error.message();
  } catch (const Error& error) {
    return error.what();
  }
  return "it compiles";
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  std::cerr << "no \"" << part << "\" in\n" << text << '\n';
  return false;
}

void test_lines() {
  RawSource source = raw_source(
      "#define TWICE(x) ((x) * 2)\n"
      "extern \"C\" __global__ void k(float* x) {\n"
      "\tint   /* blanks */ i = threadIdx.x; x[i] = undeclared;\n"
      "  x[0] = TWICE(also);\n"
      "}\n"
      "// the end\n");
  source.file = "my \"own\".cu";
  const std::string errors = errors_of(source);
  CHECK(has(errors, "my \"own\".cu:3:45: "));
  CHECK(has(errors, "undeclared"));
  CHECK(has(errors, "my \"own\".cu:4:"));
  CHECK(has(errors, "also"));
  CHECK(errors.find("gpuarr-") == std::string::npos);  // no name of a temporary directory
}

void test_plain_lines() {
  const std::string errors =
      errors_of(raw_source("__global__ void k(float* x) {\n\tx[0] = missing;\n}\n"));
  CHECK(has(errors, "source:2:9: "));
  CHECK(has(errors_of(raw_source("__global__ void k() {\n")), "source:"));
}

void test_whole_log() {
  std::string body = "__global__ void k(int* x) {\n";
  for (int k = 0; k < 500; ++k) body += formatted("x[0] = name_{};\n", k);
  const std::string errors = errors_of(raw_source(body + "}\n"));
  CHECK(has(errors, "source:501:8: "));
  CHECK(has(errors.substr(errors.find("log: ")), "name_499"));
}

void test_headers() {
  const TemporaryDirectory place;
  write_file(place / "bad.cuh", "\n__device__ int f() { return nowhere; }\n");
  RawSource source = raw_source("#include \"bad.cuh\"\n__global__ void k() { f(); }\n");
  source.options = {"-I" + place.path().string()};
  CHECK(has(errors_of(source), "bad.cuh:2:"));
  CHECK(has(errors_of(raw_source("\n#include <not_there.h>\n")), "source:2:10: "));
  const std::string hint = errors_of(raw_source("\n#include <cub/cub.cuh>\n"));
  CHECK(
      has(hint, "CUB needs the CUDA compiler: leave it out there with #ifndef GPUARR_HOST\nlog: "));
  CHECK(has(hint.substr(hint.find("log: ")), "CUB needs"));
  CHECK(has(errors_of(raw_source("#include <curand_kernel.h>\n")), "cuRAND's generators"));
  CHECK(has(errors_of(raw_source("int x;\n#error \"not like this\"\n")), "source:2:2: "));
}

void test_instances() {
  const std::string text =
      "template <class T, int N> __global__ void k(T* x) { x->field = N; }\n"
      "template <class T> __global__ void l(T x) {}\n"
      "int not_a_kernel;\n";
  CHECK(has(errors_of(raw_source(text, {"k<float, 4>"})), "source:1:5"));
  CHECK(has(errors_of(raw_source(text, {"l<float, 4>"})), "l<float, 4>:1:"));
  CHECK(has(errors_of(raw_source(text, {"l<\"x>"})), "l<\"x>:1:"));
  CHECK(has(errors_of(raw_source(text, {"l<unknown_type>"})), "unknown_type"));
  CHECK(has(errors_of(raw_source(text, {"not_a_kernel"})), "not_a_kernel:1:"));
  CHECK(has(errors_of(raw_source(text, {"gone"})), "gone:1:"));
  CHECK(has(errors_of(raw_source("__global__ int k() { return 1; }\n")), "source:1:"));
}

void test_unsupported() {
  const std::string errors =
      errors_of(raw_source("#ifdef __CUDACC__\n#define PTX asm volatile(\"trap;\")\n#endif\n"
                           "__global__ void k() {\n  PTX;\n}\n"
                           "__global__ void l() { k<<<1, 1>>>(); }\n"));
  CHECK(has(errors, "source:5:0: inline PTX (asm) does not run on the CPU device; leave it out"));
  CHECK(has(errors, "source:7:0: a launch from device code (<<<>>>) does not run"));
  CHECK(has(errors.substr(errors.find("log: ")), "source:5: error: inline PTX"));
}

void test_options() {
  RawSource source = raw_source("__global__ void k() {}\n");
  source.options = {"-lineinfo"};
  CHECK(has(errors_of(source), "option -lineinfo is NVRTC's"));
  source.options = {"--no-such-option"};
  CHECK(has(errors_of(source), "--no-such-option"));
  source.options = {"-std=c++99"};
  CHECK(has(errors_of(source), "c++99"));
}

}  // namespace

int main() {
  test_lines();
  test_plain_lines();
  test_whole_log();
  test_headers();
  test_instances();
  test_unsupported();
  test_options();
  return check::result();
}
