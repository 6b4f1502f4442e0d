// What the CPU device sees in CUDA C++ before it compiles it, and what it makes of it.
#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "device/compile.hpp"
#include "host/compile/user_columns.hpp"
#include "host/read/barriers.hpp"
#include "host/read/definitions.hpp"
#include "host/read/edits.hpp"
#include "host/read/parsed.hpp"
#include "host/read/type_name.hpp"
#include "host/translate/dynamic_shared.hpp"
#include "host/translate/translate.hpp"
#include "host/translate/unsupported.hpp"
#include "kernel/text/diagnose.hpp"
#include "seed.hpp"

using namespace gpuarr;
using namespace gpuarr::host;

namespace {

// "name/threads/bounds", with a + for a template.
std::string kernels(const std::string& source) {
  const Parsed parsed(source);
  std::string out;
  for (const ScannedKernel& k : scan(parsed, BarrierUse(parsed)).kernels)
    out += formatted("{}{}{}/{}/{}", out.empty() ? "" : " ", k.name, k.is_template ? "+" : "",
                     k.threads, k.bounds);
  return out;
}

std::string variables(const std::string& source) {
  const Parsed parsed(source);
  std::string out;
  for (const ScannedVariable& v : scan(parsed, BarrierUse(parsed)).variables)
    out += (out.empty() ? "" : " ") + v.name;
  return out;
}

std::string rewritten(const std::string& source) {
  const Parsed parsed(source);
  Edits edits(parsed.text);
  rewrite_dynamic_shared(parsed, edits);
  std::string out = edits.apply();
  const auto is_second = [](char a, char b) { return a == ' ' && b == ' '; };
  out.erase(std::unique(out.begin(), out.end(), is_second), out.end());
  return out;
}

std::string unsupported(const std::string& source) {
  std::string out;
  for (const Diagnostic& d : find_unsupported(Parsed(source)))
    out +=
        formatted("{}:{}: {}\n", d.file, d.line, d.message.substr(0, d.message.find(" does not")));
  return out;
}

void test_kernels() {
  CHECK_EQ(kernels("__global__ void k(float* x) { *x = 1; }"), "k/0/");
  CHECK_EQ(kernels("extern \"C\" __global__ void k() {} extern \"C\" { __global__ void l() {} }"),
           "k/0/ l/0/");
  CHECK_EQ(kernels("__global__ void k(); static __global__ void l() {}"), "l/0/");
  CHECK_EQ(kernels("__device__ void f() {} void g() { /* __global__ void h() {} */ }"), "");
  CHECK_EQ(
      kernels("const char* s = \"__global__ void k() {}\"; __global__ void l(char c = '}') {}"),
      "l/0/");
  CHECK_EQ(kernels("auto s = R\"x({\")x\"; __global__ void k() {}"), "k/0/");
  CHECK_EQ(kernels("template <class T, int N = (3 > 2)> __global__ void k(T x) {}"), "k+/0/");
  CHECK_EQ(kernels("template <> __global__ void k<float, 2>(float x) {}"), "k+/0/");
  CHECK_EQ(kernels("template __global__ void k<float>(float);"), "");
  CHECK_EQ(kernels("[[maybe_unused]] __global__ __attribute__((cold)) void k(int (*f)(int)) {}"),
           "k/0/");
  CHECK_EQ(kernels("struct S { __device__ S() : a{1}, b(2) {} int a, b; }; __global__ void k() {}"),
           "k/0/");
  CHECK_EQ(kernels("enum class E : int { a, b }; union U { int i; }; __global__ void k(E, U) {}"),
           "k/0/");
  CHECK_EQ(kernels("struct A { bool operator<(A) const; int operator()() { return 0; } };"
                   "bool operator==(A, A) { return true; } __global__ void k() {}"),
           "k/0/");
  CHECK_EQ(
      kernels("int a[] = {1, 2}, b{3}; auto f = [](int i) { return i; }; __global__ void k() {}"),
      "k/0/");
  CHECK_EQ(kernels("auto f() -> decltype(1) { return 1; } __global__ auto k() -> void {}"), "k/0/");
}

void test_namespaces() {
  CHECK_EQ(kernels("namespace a::b { namespace { namespace c { __global__ void k() {} } }"
                   "__global__ void l() {} } __global__ void m() {}"),
           "a::b::c::k/0/ a::b::l/0/ m/0/");
  CHECK_EQ(kernels("namespace [[deprecated]] a { inline namespace v1 { __global__ void k() {} } }"),
           "a::k/0/");
  CHECK_EQ(kernels("namespace a::inline b::c { __global__ void k() {} }"), "a::c::k/0/");
  CHECK_EQ(kernels("namespace a = b; using namespace a; __global__ void k() {}"), "k/0/");
  CHECK_EQ(kernels("struct S { int x; } s, *t; class C : public S { public: int y; };"
                   "__global__ void k() {}"),
           "k/0/");
}

void test_bounds() {
  CHECK_EQ(kernels("__global__ void __launch_bounds__(256) k() {}"), "k/0/256");
  CHECK_EQ(kernels("__launch_bounds__(2 * N, 4) __global__ void k() {}"), "k/0/2 * N");
  CHECK_EQ(kernels("__global__ void __launch_bounds__(f<1, 2>(3), 4) k() {}"), "k/0/f<1, 2>(3)");
  CHECK_EQ(kernels("template <int N> __global__ void __launch_bounds__(N) k() {}"), "k+/0/");
  CHECK_EQ(kernels("template <int N> __global__ void __launch_bounds__(M) k() {}"), "k+/0/M");
}

void test_barriers() {
  CHECK_EQ(kernels("__global__ void k() { __syncthreads(); }"), "k/1/");
  CHECK_EQ(kernels("__global__ void k() { if (__syncthreads_or(1)) {} }"), "k/1/");
  CHECK_EQ(kernels("__global__ void k(volatile int* x) { while (!*x) __nanosleep(9); }"), "k/2/");
  CHECK_EQ(kernels("__global__ void k() { gpuarr_grid_barrier(); }"), "k/2/");
  CHECK_EQ(kernels("__global__ void k() { __shfl_down_sync(1, 2, 3); __syncthreads(); }"), "k/2/");
  CHECK_EQ(kernels("__global__ void k() { __ballot_sync(1, 2); } __global__ void l() {}"),
           "k/2/ l/0/");
  CHECK_EQ(kernels("namespace cg = cooperative_groups;"
                   "__global__ void k() { cg::this_thread_block().sync(); }"),
           "k/2/");
  CHECK_EQ(kernels("__device__ void f() { __syncthreads(); } __device__ void g() { f(); }"
                   "__global__ void k() { g(); } __global__ void l() {}"),
           "k/1/ l/0/");
  CHECK_EQ(kernels("__device__ void f(int); __global__ void k() { f(1); }"
                   "__device__ void f(int i) { if (i) f(i - 1); __syncwarp(); }"),
           "k/2/");
  CHECK_EQ(kernels("struct S { __device__ void wait() { __syncthreads(); } };"
                   "__global__ void k(S s) { s.wait(); } __global__ void l(S s) {}"),
           "k/1/ l/0/");
  CHECK_EQ(kernels("struct S { __device__ int operator()() { return __any_sync(1, 1); } };"
                   "struct R : S {}; using Q = R; typedef Q P;"
                   "__global__ void k() { P()(); }"),
           "k/2/");
  CHECK_EQ(
      kernels("auto wait = [] __device__ { __syncthreads(); }; __global__ void k() { wait(); }"),
      "k/1/");
  CHECK_EQ(kernels("__global__ void k() { /* __syncthreads(); */ f(\"__syncthreads()\"); }"),
           "k/0/");
  CHECK_EQ(kernels("struct S { __device__ void all() { __syncthreads(); } void f() { all(); } };"
                   "__global__ void k(int all) {} __global__ void l(S* s) { s->f(); }"
                   "__global__ void m() { S::all(); }"),
           "k/0/ l/1/ m/1/");
  // An instance needs what its arguments need.
  const std::string functor =
      "struct Op { __device__ void operator()() { __syncthreads(); } };"
      "template <class F> __global__ void k() { F()(); }";
  CHECK(translate(functor, {"k<Op>"}).text.find("GPUARR_KERNEL(\"k<Op>\", 1, 0, k<Op>)") !=
        std::string::npos);
}

void test_variables() {
  CHECK_EQ(variables("__device__ int a, b[2][3], *c = nullptr; __constant__ float d[] = {1, 2};"),
           "a b c d");
  CHECK_EQ(variables("static __device__ __managed__ unsigned long long n; int host;"), "n");
  CHECK_EQ(
      variables("namespace x { __constant__ Pair<int, 2> p{1, 2}; namespace { __device__ T q; } }"),
      "x::p x::q");
  CHECK_EQ(variables("extern __device__ int a; extern __device__ int b = 1;"), "b");
  CHECK_EQ(variables("template <class T> __device__ T a; __device__ int f(int); "
                     "__device__ float g() { __device__ static int h; return 0; }"),
           "");
  CHECK_EQ(variables("__constant__ struct S { int a; } s; struct R { int b; } __device__ r, q;"),
           "s r q");
  CHECK_EQ(variables("__device__ __align__(16) float a __attribute__((aligned(32))), b = f(1, 2);"),
           "a b");
  CHECK_EQ(variables("alignas(16) __device__ float a = x < y, b = F<1, 2>(), c;"), "a b c");
  CHECK_EQ(variables("extern __shared__ float s[]; __shared__ int t; using u = int;"), "");
}

void test_dynamic_shared() {
  const std::string value = ">(gpuarr_dynamic_shared())";
  CHECK_EQ(rewritten("void k() { extern __shared__ float s[]; }"),
           "void k() { float (&s)[] = *reinterpret_cast<float (*)[]" + value + "; }");
  CHECK_EQ(rewritten("void k(){extern volatile __shared__ __align__(16) unsigned char s[];}"),
           "void k(){ volatile unsigned char (&s)[] = "
           "*reinterpret_cast<volatile unsigned char (*)[]" +
               value + ";}");
  CHECK_EQ(rewritten("void k(){alignas(8) extern __shared__ T s[][32], *t[];}"),
           "void k(){ T (&s)[][32] = *reinterpret_cast<T (*)[][32]" + value +
               ", *(&t)[] = *reinterpret_cast<T * (*)[]" + value + ";}");
  CHECK_EQ(rewritten("void k(){extern __shared__ A<1, 2> s[4] __attribute__((aligned(8)));}"),
           "void k(){ A<1, 2> (&s)[4] = *reinterpret_cast<A < 1 , 2 > (*)[4]" + value + " ;}");
  CHECK_EQ(rewritten("void k() { __shared__ float s[3]; extern int t[]; }"),
           "void k() { __shared__ float s[3]; extern int t[]; }");
  CHECK_EQ(rewritten("void k() { extern __shared__\nfloat\ns[]; }"),
           "void k() { \nfloat\n(&s)[] = *reinterpret_cast<float (*)[]" + value + "; }");
}

void test_file_scope_shared() {
  const std::string value = " = *reinterpret_cast<int (*)[]>(gpuarr_dynamic_shared());{";
  CHECK_EQ(rewritten("void f() { s(); }\nextern __shared__ int s[];\nvoid g() { s[0] = 1; }"),
           "void f() { s(); }\n ;\nvoid g() {int (&s)[]" + value + " s[0] = 1; }}");
  const char* local = "struct S { T* f() { extern __shared__ int s[]; return s; } };\nvoid g(S) {}";
  CHECK(rewritten(local).ends_with("};\nvoid g(S) {}"));
  CHECK_EQ(rewritten("extern __shared__ int s[];\nvoid f(int* s) { s[0]; } void g(A a) { a.s; }"),
           " ;\nvoid f(int* s) { s[0]; } void g(A a) { a.s; }");
}

void test_unsupported() {
  CHECK_EQ(
      unsupported("# 1 \"a.cu\"\nint x;\n# 7 \"b.cuh\" 1\nvoid f() {\n asm volatile(\"x\"); }"),
      "b.cuh:8: inline PTX (asm)\n");
  CHECK_EQ(unsupported("void f() { asm volatile(\"\" ::: \"memory\"); asm(\"\"); }"), "");
  CHECK_EQ(unsupported("void f() { __asm__(\"mov\" \"x\"); }"), ":1: inline PTX (__asm__)\n");
  CHECK_EQ(unsupported("void f() {\nk<<<1, 2>>>();\n}"),
           ":2: a launch from device code (<<<>>>)\n");
  CHECK_EQ(unsupported("bool b = 1 << 2 < 3; A<B<C<int>>> a; x << < 3;"), "");
  CHECK_EQ(unsupported("__global__ void k(cudaTextureObject_t t) {\ntex2D<float>(t, 1, 2); }"),
           ":1: a texture (cudaTextureObject_t)\n:2: a texture (tex2D)\n");
  CHECK_EQ(unsupported("texture<float, 2> t;\nvoid f() { surf2Dwrite(1, s, 2, 3); }"),
           ":1: a texture (texture)\n:2: a surface (surf2Dwrite)\n");
  CHECK_EQ(unsupported("float tex2D(float x) { return x; } int texture; float y = tex2D(1);"), "");
  CHECK_EQ(unsupported("using namespace nvcuda;"), ":1: a matrix operation of warps (nvcuda)\n");
  CHECK_EQ(
      unsupported("# 1 \"/usr/include/x.h\" 1 3\nvoid f() { asm(\"nop\"); }\n# 2 \"a.cu\" 2\n"),
      "");
  CHECK_FAILS(
      GPUARR_ERR_COMPILE,
      "source:12: error: inline PTX (asm) does not run on the CPU device; leave it out there "
      "with #ifndef GPUARR_HOST",
      [] { translate("#line 12 \"source\"\nvoid f() { asm(\"trap;\"); }", {}); });
  CHECK_FAILS(GPUARR_ERR_COMPILE, "option --use_fast_math is NVRTC's", [] {
    check_options({"-O3", "--use_fast_math"}, "g++");
  });
  CHECK_FAILS(GPUARR_ERR_COMPILE, "option -arch=sm_90 is NVRTC's",
              [] { check_options({"-arch=sm_90"}, "g++"); });
  check_options({"-DG", "-g", "-O3", "-march=native", "x"}, "g++");
}

void test_names() {
  CHECK_EQ(squeezed(" :: ns :: k < const float * , 4 > "), "ns::k<const float*,4>");
  CHECK_EQ(squeezed("k<unsigned int>"), "k<unsigned int>");
  CHECK_EQ(type_name("f() [with T = const float*]"), "const float*");
  CHECK_EQ(type_name("const char *f() [T = const float *]"), "const float*");
  CHECK_EQ(type_name("f() [with T = long unsigned int; size_t = long unsigned int]"),
           "unsigned long");
  CHECK_EQ(type_name("f() [with T = {anonymous}::A<int [3]>]"),
           "(anonymous namespace)::A<int [3]>");
  CHECK_EQ(type_name("nothing"), "");
  CHECK(is_const("const int") && is_const("float* const") && !is_const("const int*"));
}

void test_columns() {
  const std::string written = "#line 1 \"source\"\nint x;\n\tint /* a */ y = z;\nint M(w) = v;\n";
  const std::string seen = "# 1 \"source\"\nint x;\n int y = z;\nint mw = v;\n";
  const auto column = [&](const char* file, int line, int at) {
    return user_columns({{file, line, at, true, ""}}, written, seen)[0].column;
  };
  CHECK_EQ(column("source", 2, 10), 18);
  CHECK_EQ(column("source", 2, 6), 14);
  CHECK_EQ(column("source", 3, 10), 0);
  CHECK_EQ(column("source", 9, 10), 10);
  CHECK_EQ(column("other", 2, 10), 10);
}

// A time in proportion to the text and the complaints, not to their product; and a message is
// short.
void test_many_complaints() {
  const std::clock_t begin = std::clock();
  std::string source = "# 1 \"source\"\n";
  std::vector<Diagnostic> complaints;
  for (int k = 1; k <= 20000; ++k) {
    source += "x;\n";
    complaints.push_back({"source", k, 1, true, "no"});
  }
  const auto found = user_columns(complaints, source, source);
  CHECK_EQ(found.back().column, 1);
  const UserPiece pieces[] = {{"source", source}};
  CHECK_FAILS(GPUARR_ERR_COMPILE, "\n19900 more errors are not shown",
              [&] { fail_explained(CompileError("", found), "no", pieces); });
  CHECK((std::clock() - begin) / CLOCKS_PER_SEC < 10);
}

// Any text gives something, in bounded time.
void test_hostile() {
  std::mt19937 random(static_cast<unsigned>(test_seed()));
  const std::vector<std::string> pieces = {"__global__ ",
                                           "void ",
                                           "k",
                                           "(",
                                           ")",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           "<",
                                           ">",
                                           ";",
                                           ",",
                                           "=",
                                           ":",
                                           "::",
                                           "template ",
                                           "namespace ",
                                           "struct ",
                                           "extern ",
                                           "__shared__ ",
                                           "operator",
                                           "__device__ ",
                                           "\n# 3 \"f\" 1 3\n",
                                           "#line x\n",
                                           "\n# 99999999999 \"",
                                           "\"",
                                           "'",
                                           "R\"(",
                                           "/*",
                                           "*/",
                                           "asm",
                                           "__launch_bounds__",
                                           "alignas",
                                           "using ",
                                           "typedef ",
                                           "enum ",
                                           "~",
                                           "->",
                                           "...",
                                           "1",
                                           "\xff",
                                           "__syncthreads",
                                           "*",
                                           "&",
                                           "inline ",
                                           "class ",
                                           "\\\n",
                                           "float "};
  for (int round = 0; round < 4000; ++round) {
    std::string source;
    for (size_t n = random() % 60; n > 0; --n) source += pieces[random() % pieces.size()];
    try {
      translate(source, {source});
    } catch (const CompileError&) {
      continue;
    }
  }
  const std::string deep(20000, '{');
  std::string angles;
  for (int k = 0; k < 20000; ++k) angles += "a<";
  for (const std::string& source : {deep, angles, formatted("void f() {}", deep),
                                    formatted("{}__global__ void k() {{}}", deep)})
    CHECK_FAILS(GPUARR_ERR_COMPILE, "at most ", [&] { translate(source, {}); });
}

}  // namespace

int main() {
  test_kernels();
  test_namespaces();
  test_bounds();
  test_barriers();
  test_variables();
  test_dynamic_shared();
  test_file_scope_shared();
  test_unsupported();
  test_names();
  test_columns();
  test_many_complaints();
  test_hostile();
  return check::result();
}
