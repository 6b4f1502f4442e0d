// Every form of a gufunc's CUDA source compiles for the GPUs of three generations, on a machine
// without one.
#include <iostream>

#include "check.hpp"
#include "cuda_text.hpp"
#include "gufunc_case.hpp"
#include "kernel/raw/source.hpp"

using namespace gpuarr;

namespace {

const char* const product =
    "for (long long e = group.rank(); e < m * n; e += group.size()) {\n"
    "  T s = 0;\n"
    "  for (int j = 0; j < k; ++j) s += a(e / n, j) * b(j, e % n);\n"
    "  w(e / n, e % n) = s;\n"
    "}\n"
    "group.sync()";

const char* const sum =
    "T s = 0;\n"
    "for (int j = group.rank(); j < n; j += group.size()) s += a[j] + a.size() + a.shape()[0];\n"
    "w = group.sum(s);\n"
    "w += group.reduce(b, [](T x, T y) { return x == y ? x : y; });\n"
    "if (n > 7) return;";

const char* const shared =
    "__shared__ T tile[256];\n"
    "for (int j = threadIdx.x; j < n; j += blockDim.x) tile[j] = a(j);\n"
    "__syncthreads();\n"
    "for (int j = threadIdx.x; j < n; j += blockDim.x) w(j) = tile[n - 1 - j];";

std::vector<GufuncCase> cases_of(DType t) {
  std::vector<GufuncCase> out;
  for (const Group group : {Group::thread, Group::warp, Group::block}) {
    out.push_back({"(m?,k),(k,n?)->(m?,n?)", product, t, group, Order::c, {1000}, {3, 3, 3}});
    out.push_back({"(n),()->()", sum, t, group, Order::c, {10, 20}, {4}, false});
    out.push_back({"(n),()->()", sum, t, group, Order::c, {1 << 20, 1 << 13}, {4}, true, {1}});
  }
  return out;
}

std::vector<GufuncCase> features() {
  std::vector<GufuncCase> out;
  for (const Order order : {Order::c, Order::f})
    for (const bool dense : {true, false})
      for (const Group group : {Group::thread, Group::warp, Group::block})
        out.push_back({"(m,k),(k,n)->(m,n)",
                       product,
                       DType::f64,
                       group,
                       order,
                       {7, 8, 9},
                       {30, 40, 50},
                       dense});
  out.push_back({"(n)->(n)", shared, DType::f32, Group::block, Order::c, {}, {200}});
  out.push_back({"(3),(3)->(3)",
                 "for (int j = 0; j < 3; ++j) w(j) = f(a(j)) * b(j);",
                 DType::f32,
                 Group::thread,
                 Order::c,
                 {5, 6},
                 {},
                 true,
                 {},
                 "__device__ float f(float x) { return 2 * x; }"});
  return out;
}

// Staged cores of each size of element, some in rows, beside some that are not.
std::vector<GufuncCase> staged() {
  std::vector<GufuncCase> out;
  for (const DType t : {DType::i8, DType::f16, DType::f32, DType::c64, DType::c128})
    for (const int64_t n : {7, 16})
      out.push_back({"(m,n),(n)->(m),()",
                     "for (int i = 0; i < m; ++i) w(i) = a(i, 0) + b(n - 1);\n"
                     "if (m > 2) w.data()[0] = w[1];\n"
                     "x = w(0);",
                     t,
                     Group::thread,
                     n == 7 ? Order::f : Order::c,
                     {50, 1000},
                     {4, n},
                     true,
                     {},
                     "",
                     {{}, {0, n}}});
  out.push_back({"(n)->(n)",
                 "for (int j = 0; j < n; ++j) w(j) = a(n - 1 - j);",
                 DType::f64,
                 Group::thread,
                 Order::c,
                 {int64_t{1} << 31},
                 {40}});
  return out;
}

bool compiles_case(cuda::Compiler& compiler, const GufuncCase& c, const std::string& source) {
  if (c.group == Group::thread) return compiles(compiler, "test", source);
  const RawSource raw = raw_source(cuda_target, source, {}, 0);
#ifdef __SANITIZE_ADDRESS__
  return raw.text.find("__global__") != std::string::npos;
#else
  return compiler.compile_raw(raw).size() > 500;
#endif
}

void compile_all(const std::vector<GufuncCase>& cases, cuda::Compiler& compiler) {
  for (const GufuncCase& c : cases) {
    const std::string source = c.call(cuda_target).source(cuda_target);
    try {
      CHECK(compiles_case(compiler, c, source));
    } catch (const Error& e) {
      check::report(__FILE__, __LINE__) << c.signature << ": " << e.what() << "\n" << source;
      return;
    }
  }
}

// What is wrong with a body is told of its own line, whoever runs it.
void errors_have_their_place([[maybe_unused]] cuda::Compiler& compiler) {
#ifndef __SANITIZE_ADDRESS__
  for (const Group group : {Group::thread, Group::warp, Group::block}) {
    const GufuncCase c{"(n)->()", "w = 0;\nw = a(0) + q1;", DType::f32, group, Order::c, {9}, {5}};
    try {
      compiles_case(compiler, c, c.call(cuda_target).source(cuda_target));
      CHECK(!"it compiled");
    } catch (const CompileError& error) {
      CHECK(!error.diagnostics().empty());
      CHECK_EQ(error.diagnostics()[0].file, "body");
      CHECK_EQ(error.diagnostics()[0].line, 2);
      CHECK_EQ(error.diagnostics()[0].column, 12);
    }
  }
#endif
}

}  // namespace

int main() {
  cuda::Compiler hopper(90, 13);
  try {
    hopper.description();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  errors_have_their_place(hopper);
  compile_all(features(), hopper);
  compile_all(staged(), hopper);
  for (const DType t : {DType::f32, DType::i8, DType::f16, DType::bf16, DType::c128})
    compile_all(cases_of(t), hopper);
  for (const int capability : {80, 100}) {
    cuda::Compiler compiler(capability, 13);
    compile_all(cases_of(DType::f32), compiler);
  }
  cuda::Compiler turing(75, 13);  // copies no memory to shared memory by itself
  compile_all(staged(), turing);
  return check::result();
}
