// Tests of compiling users' own CUDA C++ with the NVRTC of this machine; no GPU is needed.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "check.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/compile/image.hpp"
#include "cuda/compile/symbols.hpp"
#include "cuda/driver/locate.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;
using cuda::Compiler;
using cuda::Image;
using Strings = std::vector<std::string>;

namespace {

constexpr int newest = 13;

RawSource source_of(const std::string& text, Strings options = {}, Strings instances = {}) {
  RawSource source;
  source.text = text;
  source.options = std::move(options);
  source.instances = std::move(instances);
  return source;
}

Image compiled(const RawSource& source) {
  return cuda::unpack(Compiler(90, newest).compile_raw(source));
}

bool is_cubin(const std::string& code) { return code.starts_with("\177ELF"); }

CompileError error_of(const RawSource& source) {
  try {
    Compiler(90, newest).compile_raw(source);
  } catch (const CompileError& e) {
    return e;
  }
  CHECK(!"it compiled");
  return {"", {}};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

const char* many = R"(
namespace ns {
__constant__ double table[8];
__device__ int counter;
__global__ void deep(float* x) { x[0] = table[threadIdx.x]; counter++; }
template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }
}
namespace { __global__ void hidden(int* x) { *x = 2; } }
__device__ __noinline__ float helper(float a) { return a * 2; }
__global__ void over(float* x) { x[0] = helper(x[1]); }
__global__ void over(double* x, int b) { x[0] = b; }
extern "C" __global__ void plain(int n, const float* p) { assert(n > 0); printf("%f", p[0]); }
static __constant__ short unused[3];
)";

void makes_many_kernels() {
  const char* expressions[] = {"ns::scale<float, 4>", "ns::scale< double,2 >", "hidden",
                               "&ns::table"};
  RawSource source = source_of(many, {}, {std::begin(expressions), std::end(expressions)});
  Image image = compiled(source);
  CHECK(is_cubin(image.code));
  CHECK_EQ(image.instances.size(), 4U);
  for (size_t i = 0; i < image.instances.size(); ++i)
    CHECK_EQ(image.instances[i].expression, expressions[i]);
  CHECK_EQ(image.instances[0].symbol, "_ZN2ns5scaleIfLi4EEEvPT_");
  CHECK_EQ(image.instances[1].symbol, "_ZN2ns5scaleIdLi2EEEvPT_");
  CHECK_EQ(image.instances[3].symbol, "_ZN2ns5tableE");
  CHECK_EQ(Compiler(90, newest).compile_raw(source), cuda::pack(image));  // the same bytes

  for (const std::string& code : {image.code, Compiler(90, newest).raw_ptx(source)}) {
    cuda::Symbols symbols = cuda::read_symbols(code);
    Strings names;
    for (const std::string& kernel : symbols.kernels) names.push_back(cuda::readable(kernel));
    std::ranges::sort(names);
    CHECK_EQ(joined(names),
             "hidden(int*), ns::deep(float*), ns::scale<double, 2>(double*), "
             "ns::scale<float, 4>(float*), over(double*, int), over(float*), plain");
    names.clear();
    for (const std::string& variable : symbols.variables) names.push_back(cuda::readable(variable));
    std::ranges::sort(names);
    CHECK_EQ(joined(names), "ns::counter, ns::table, unused");
    CHECK_EQ(cuda::read_made(code).processor, "90");
  }
}

void honours_options() {
  const char* text = "extern \"C\" __global__ void k(float* x) { *x = VALUE / x[1]; }";
  CHECK(is_cubin(compiled(source_of(text, {"-DVALUE=3"})).code));
  CHECK(has(compiled(source_of(text, {"-DVALUE=3", "-arch=compute_80"})).code, ".target sm_80"));
  CHECK(has(compiled(source_of(text, {"-DVALUE=3", "-arch", "compute_80"})).code, ".target sm_80"));
  CHECK(is_cubin(compiled(source_of(text, {"-DVALUE=3", "-rdc=true"})).code));
  Compiler compiler(90, newest);
  CHECK(has(compiler.raw_ptx(source_of(text, {"-DVALUE=3"})), "div.rn.f32"));
  CHECK(has(compiler.raw_ptx(source_of(text, {"-DVALUE=3", "-use_fast_math"})),
            "div.approx.ftz.f32"));
  CHECK(has(compiler.raw_ptx(source_of(text, {"-DVALUE=3", "--ptxas-options=-O0", "-lineinfo"})),
            ".loc"));
  CHECK(is_cubin(compiled(source_of("static_assert(__cplusplus == 202002L);",
                                    {"--std=c++20", "--device-as-default-execution-space",
                                     "--modify-stack-limit=false"}))
                     .code));
  CHECK(is_cubin(compiled(source_of("static_assert(__cplusplus == 201703L);")).code));
  CHECK_FAILS(GPUARR_ERR_COMPILE, "unrecognized option --nonsense",
              [&] { compiled(source_of(text, {"--nonsense"})); });
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "leave out -dlto", [&] {
    compiled(source_of(text, {"-DVALUE=3", "-dlto"}));
  });
  // What --minimal would leave out.
  CHECK(is_cubin(compiled(source_of("__device__ cudaTextureObject_t t;\n"
                                    "__global__ void k(float* z) { z[0] = tex1Dfetch<float>(t, "
                                    "3); }"))
                     .code));
}

void finds_headers() {
  RawSource source = source_of(
      "#include <stdint.h>\n#include \"gpuarr.cuh\"\n"
      "extern \"C\" __global__ void k(mine* x) { *x = second(1); }");
  source.headers = {{"stdint.h", "#pragma once\ntypedef int first;\n"},
                    {"gpuarr.cuh",
                     "#pragma once\n#include <stdint.h>\ntypedef first mine;\n"
                     "inline mine second(mine a) { return a; }\n"}};
  CHECK(is_cubin(compiled(source).code));

  // From a file that is found by -I, and from one that is beside the source.
  TemporaryDirectory directory;
  std::string root = directory.path();
  for (const char* place : {"given", "beside"}) {
    auto folder = std::filesystem::path(root) / place;
    std::filesystem::create_directories(folder / "sub");
    std::ofstream(folder / (std::string(place) + ".h"))
        << "#include \"gpuarr.cuh\"\n#include <stdint.h>\n#include \"sub/more.h\"\n"
        << "inline mine " << place << "() { return more_" << place << "(); }\n";
    std::ofstream(folder / "sub/more.h")
        << "#include <gpuarr.cuh>\ninline mine more_" << place << "() { return first(5); }\n";
  }
  source.text = "#include <given.h>\nextern \"C\" __global__ void k(mine* x) { *x = given(); }";
  source.options = {"-I" + root + "/given"};
  CHECK(is_cubin(compiled(source).code));
  source.text = "#include \"beside.h\"\nextern \"C\" __global__ void k(mine* x) { *x = beside(); }";
  source.options = {};
  source.directory = root + "/beside";
  CHECK(is_cubin(compiled(source).code));
  source.directory = "";
  CHECK_FAILS(GPUARR_ERR_COMPILE, "beside.h", [&] { compiled(source); });

  if (cuda::find_headers(cuda::find_nvrtc(newest)).empty()) return;
  CHECK(is_cubin(
      compiled(source_of("#include <cuda_fp16.h>\n__global__ void k(__half* x) {}")).code));
  CHECK(is_cubin(
      compiled(source_of("__global__ void k(__half* x) {}", {"--pre-include=cuda_fp16.h"})).code));
}

// The prelude takes up no lines of the user's.
void says_where_faults_are() {
  RawSource source = source_of("\n__global__ void k(float* x) {\n  *x = nix;\n}\n");
  source.file = "my \"odd\\file\".cu";
  source.prelude = "struct gpuarr_a {};\n\nstruct gpuarr_b {};";
  CompileError error = error_of(source);
  CHECK_EQ(error.diagnostics().size(), 1U);
  CHECK_EQ(error.diagnostics()[0].line, 3);
  CHECK_EQ(error.diagnostics()[0].column, 8);
  CHECK(has(error.diagnostics()[0].file, "file"));
  CHECK(has(error.what(), "identifier \"nix\" is undefined"));

  // However long it is, the log is whole.
  source.text.clear();
  for (int i = 0; i < 90; ++i)
    source.text += "__global__ void k" + std::to_string(i) + "(float* x) { *x = nix" +
                   std::to_string(i) + std::string(500, 'x') + "; }\n";
  source.file = "long.cu";
  error = error_of(source);
  CHECK_EQ(error.diagnostics().size(), 90U);
  CHECK(error.message().size() > 90 * 1000U);
  CHECK(has(error.message(), "90 errors detected in the compilation"));
  CHECK_EQ(error.diagnostics()[89].line, 90);
}

void names_what_does_not_instantiate() {
  auto message = [](const std::string& expression) {
    return error_of(source_of(many, {}, {"ns::scale<float, 4>", expression})).message();
  };
  std::string text = message("ns::scale<flot, 4>");
  CHECK(text.starts_with(
      "there is no kernel \"ns::scale<flot, 4>\": identifier \"flot\" is undefined\n"));
  CHECK(has(text, "1 error") || has(text, "2 errors detected"));  // and the log
  CHECK(has(message("nosuch"), "there is no kernel \"nosuch\": identifier \"nosuch\""));
  CHECK(
      has(message("ns::nosuch<int>"), "there is no kernel \"ns::nosuch<int>\": namespace \"ns\""));
  CHECK(
      has(message("over"), "there is no kernel \"over\": cannot determine which instance of over"));
  CHECK(has(message("ns::scale<float>"), "there is no kernel \"ns::scale<float>\": cannot"));
  CHECK(has(message("ns::scale<float, 4"), "there is no kernel \"ns::scale<float, 4\": expected"));
  std::string both = error_of(source_of(many, {}, {"nosuch", "ns::scale<no, 1>"})).message();
  CHECK(has(both, "\"nosuch\": ") && has(both, "\"ns::scale<no, 1>\": "));

  // It instantiates, but not without error.
  CompileError inside = error_of(source_of(
      "template <class T> __global__ void bad(T* x) {\n  x->foo();\n}\n", {}, {"bad<float>"}));
  CHECK_EQ(inside.diagnostics()[0].line, 2);
  CHECK(has(inside.diagnostics()[0].message, "[with T=float]"));
}

void packs() {
  Image image{{{"a<1>", "_Z1a"}, {"", "x"}}, std::string("\177ELF\0code", 9)};
  std::string packed = cuda::pack(image);
  Image back = cuda::unpack(packed);
  CHECK_EQ(back.code, image.code);
  CHECK_EQ(back.instances.size(), 2U);
  CHECK_EQ(back.instances[0].symbol, "_Z1a");
  CHECK_EQ(back.instances[1].expression, "");
  CHECK_EQ(cuda::pack({{}, "code"}), "code");
  CHECK_EQ(cuda::unpack("code").code, "code");
  for (size_t bytes = 17; bytes < packed.size() - image.code.size(); ++bytes)
    CHECK_FAILS(GPUARR_ERR_LOAD, "truncated", [&] { cuda::unpack(packed.substr(0, bytes)); });
}

}  // namespace

int main() {
  packs();
  try {
    cuda::find_nvrtc(newest);
  } catch (const Error& e) {
    std::cerr << "skipped: " << e.what() << '\n';
    return 77;
  }
  makes_many_kernels();
  honours_options();
  finds_headers();
  says_where_faults_are();
  names_what_does_not_instantiate();
  return check::result();
}
