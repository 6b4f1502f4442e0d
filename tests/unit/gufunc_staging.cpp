// Which cores a GPU stages in shared memory, and how many threads a block has then.
#include <iostream>

#include "check.hpp"
#include "gufunc_case.hpp"

using namespace gpuarr;

namespace {

// A letter for each operand: s if its cores are staged, r if row by row, - if not.
std::string staged(const GufuncCase& c, const Target& target = cuda_target) {
  const GufuncCase::Call call = c.call(target);
  const GufuncVariant& v = call.plan.variant;
  std::string out;
  for (int k = 0; k < v.operands.size(); ++k)
    out += v.operands[k].access == Access::staged       ? 's'
           : v.operands[k].access == Access::row_staged ? 'r'
                                                        : '-';
  const bool has_text = call.source(target).find("gpuarr_gufunc::_staged<") != std::string::npos;
  CHECK_EQ(has_text, out.find_first_not_of('-') != std::string::npos);
  if (target.simt && c.group == Group::thread)
    CHECK_EQ(geometry_of(call.plan, 0).threads, 32 * v.warps);
  return out;
}

GufuncCase sum(int64_t n, DType dtype = DType::f32) {
  GufuncCase c{"(n)->()", "for (int j = 0; j < n; ++j) w += a(j);", dtype};
  c.sizes = {n};
  return c;
}

GufuncCase cross() { return {"(3),(3)->(3)", "for (;;) w(0) = a(1) * b(2);"}; }

void by_size() {
  for (const int64_t n : {1, 2, 65, 1000}) CHECK_EQ(staged(sum(n)), "--");
  for (const int64_t n : {3, 4, 16, 64}) CHECK_EQ(staged(sum(n)), "s-");
  CHECK_EQ(staged(sum(11, DType::i8)), "--");
  CHECK_EQ(staged(sum(12, DType::i8)), "s-");
  CHECK_EQ(staged(sum(5, DType::f16)), "--");
  CHECK_EQ(staged(sum(6, DType::f16)), "s-");
  CHECK_EQ(staged(sum(2, DType::c128)), "--");
  CHECK_EQ(staged(sum(3, DType::c128)), "s-");
  CHECK_EQ(staged(sum(64, DType::c128)), "--");  // 32 kB for a warp
  CHECK_EQ(staged(sum(16), host_target), "--");
  for (const Group group : {Group::warp, Group::block}) {
    GufuncCase c = sum(16);
    c.group = group;
    CHECK_EQ(staged(c), "--");
  }
}

// On the CPU: p for cores that are a known distance apart, v for elements that are neighbours.
std::string packed(const GufuncCase& c) {
  const GufuncCase::Call call = c.call(host_target);
  std::string out;
  for (const OperandVariant& o : call.plan.variant.operands)
    out += o.access == Access::packed ? 'p' : o.access == Access::vector ? 'v' : '-';
  const std::string source = call.source(host_target);
  const bool has_number = source.find("_at._data0 + _k * ") != std::string::npos &&
                          source.find("_at._data0 + _k * _p") == std::string::npos;
  CHECK_EQ(has_number, out[0] == 'p');
  return out;
}

void packed_on_the_cpu() {
  for (const int64_t n : {2, 3, 4, 8, 64}) CHECK_EQ(packed(sum(n)), "pv");
  for (const int64_t n : {1, 5, 6, 9, 12, 63}) CHECK_EQ(packed(sum(n)), n == 1 ? "vv" : "-v");
  for (const int64_t n : {65, 128}) CHECK_EQ(packed(sum(n)), "-v");
  GufuncCase c = cross();
  CHECK_EQ(packed(c), "ppp");
  c.outer = {{6}, {0}, {3}};
  CHECK_EQ(packed(c), "--p");
  c.dense = false;
  CHECK_EQ(packed(c), "---");
  c = cross();
  c.group = Group::warp;
  CHECK_EQ(packed(c), "---");
  GufuncCase large{"(3),(n)->()", "w = a(0) + b(0);"};
  large.sizes = {65};  // a loop over it is no thread's constant
  CHECK_EQ(packed(large), "--v");
}

void by_layout() {
  GufuncCase c = cross();
  CHECK_EQ(staged(c), "sss");
  c.dense = false;
  CHECK_EQ(staged(c), "---");
  c.dense = true;
  c.outer = {{}, {0}, {-3}};  // one for all places; from the last one on
  CHECK_EQ(staged(c), "s--");
  c.shape = {100, 200};
  c.outer = {{}, {3, 0}, {}};  // one for each row
  CHECK_EQ(staged(c), "s-s");
  c.outer = {{}, {0, 3}, {}};  // the same row again and again
  CHECK_EQ(staged(c), "srs");
  c.outer = {{}, {603, 3}, {}};  // padded rows
  CHECK_EQ(staged(c), "srs");
  c.shape = {100, 20};
  c.outer = {{}, {0, 3}, {}};  // short ones
  CHECK_EQ(staged(c), "s-s");
  c.shape = {1};
  c.outer = {};
  CHECK_EQ(staged(c), "---");
}

// What a body can have of the address of an element cannot be seen to be touched.
void by_text() {
  GufuncCase c = cross();
  for (const char* body :
       {"T* p = &w(0); f(p, a, b);", "T* p = (T*)&w(1); f(p, a, b);",
        "gpuarr_view<T, 1, true> v = w; f(a, b);", "f(*std::addressof(w(1)), a, b);"}) {
    c.body = body;
    CHECK_EQ(staged(c), "ss-");
  }
  for (const char* body : {"f(a, b); T& x = w(0); while (true) x = 1;",
                           "f(a, b, w); auto f = [&] { w(0) = 1; };", "if (a(0) && b(0)) f(w);"}) {
    c.body = body;
    CHECK_EQ(staged(c), "sss");
  }
  c.body = "__shared__ T own[3]; f(a, b, w);";
  CHECK_EQ(staged(c), "---");
  c.body = "f(a, b, w);";
  c.preamble = "#include <f.cuh>";
  CHECK_EQ(staged(c), "ss-");
}

// A few elements of large cores are read where they are.
void by_elements() {
  GufuncCase c{"(n)->(3)", "w(0) = a(n - 1) - a(0);\nw[1] = 0;\nw[2] = 1;"};
  for (const int64_t n : {3, 16, 17, 64}) {
    c.sizes = {n};
    CHECK_EQ(staged(c), n <= 16 ? "ss" : "-s");
  }
  for (const char* body :
       {"f(a); w(0) = w(1) = 0;", "while (a(0)) w(0) = 0;", "auto f = [&](int j) { w(j) = a(j); };",
        "#define F(j) w(j) = a(j)\nF(1);", "w.data()[0] = a.data()[1];"}) {
    c.body = body;
    CHECK_EQ(staged(c), c.body.starts_with("f(a)") ? "s-" : "ss");
  }
  c.body = "F(1); w(0) = a(1);";
  c.preamble = "#define F(j) w(j) = a(j)";
  CHECK_EQ(staged(c), "ss");
}

int threads(const GufuncCase& c) { return geometry_of(c.call(cuda_target).plan, 0).threads; }

void blocks() {
  CHECK_EQ(threads(sum(2)), 256);
  CHECK_EQ(threads(sum(3)), 256);
  CHECK_EQ(threads(sum(24)), 128);  // 25 words for each thread are 25 kB for 256
  CHECK_EQ(threads(sum(64)), 64);
  GufuncCase inverse{"(4,4)->(4,4)", "for (;;) w(0, 0) = a(1, 1);"};
  CHECK_EQ(threads(inverse), 128);
  inverse = {"(8,8)->(8,8)", "for (;;) w(0, 0) = a(1, 1);", DType::f64};
  CHECK_EQ(staged(inverse), "s-");
  CHECK_EQ(threads(inverse), 64);
  inverse.dtype = DType::f32;
  CHECK_EQ(staged(inverse), "ss");
}

}  // namespace

int main() {
  by_size();
  by_layout();
  packed_on_the_cpu();
  by_text();
  by_elements();
  blocks();
  return check::result();
}
