// A GPU's kernels with staged cores, run on the CPU as raw kernels: they do what those do that
// leave cores where they are.
#include <iostream>

#include "check.hpp"
#include "gufunc_case.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

constexpr size_t room = 200000;  // bytes of an operand

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
}

// As text that the CPU takes: the same behind a raw kernel's prelude, which has one of its names.
std::string raw_text(const GufuncCase::Call& call) {
  Target target = cuda_target;
  target.prelude = [](const PreludeNeeds&) -> std::string { return "#include <gpuarr.cuh>\n"; };
  std::string text = call.source(target);
  replace_all(text, "struct _params {", "struct __align__(16) _params {");
  replace_all(text, "gpuarr_kernel", "gpu_kernel");
  return text;
}

// What the outputs' memory is then.
std::string run(GufuncCase c, bool stages, int64_t offset) {
  std::vector<std::string> memory;
  for (int k = 0; k < 4; ++k) {
    memory.emplace_back(room, '\0');
    const auto size = static_cast<size_t>(size_of(c.dtype));
    for (size_t at = 0; at < room; at += size)  // small numbers, of any dtype but floats
      memory.back()[at] = static_cast<char>((at / size * 7 + static_cast<size_t>(k)) % 11);
    if (c.dtype == DType::f32 || c.dtype == DType::c64)
      for (size_t at = 0; at + 4 <= room; at += 4) {
        const float value = static_cast<float>((at / 4 * 7 + static_cast<size_t>(k)) % 11);
        std::memcpy(memory.back().data() + at, &value, 4);
      }
    if (c.dtype == DType::f64 || c.dtype == DType::c128)
      for (size_t at = 0; at + 8 <= room; at += 8) {
        const double value = static_cast<double>((at / 8 * 7 + static_cast<size_t>(k)) % 11);
        std::memcpy(memory.back().data() + at, &value, 8);
      }
  }
  for (std::string& m : memory) c.data.push_back(m.data() + offset * size_of(c.dtype));
  c.stages = stages;
  const GufuncCase::Call call = c.call(cuda_target);
  const GufuncGeometry geometry = geometry_of(call.plan, 0);
  std::vector<std::byte> bytes(parameter_bytes(call.plan, call.text.cores, call.axes));
  write_parameters(bytes.data(), call.plan, call.text.cores, call.axes, call.operands, geometry,
                   nullptr);
  const std::string text = raw_text(call);
  CHECK_EQ(text.find("_staged<") != std::string::npos, stages);
  const auto module = raw_module(raw_source(text));
  RawLaunch how;
  how.grid.x = static_cast<uint32_t>(geometry.blocks);
  how.block.x = static_cast<uint32_t>(geometry.threads);
  const auto stream = host_device().create_stream(0);
  module->function("test_kernel")->launch(how, bytes.data(), bytes.size(), *stream);
  stream->synchronize();
  std::string out;
  for (const std::string& m : memory) out += m;
  return out;
}

const char* const body =
    "if (a(0, 0) == b(1)) return;\n"
    "for (int i = 0; i < m; ++i) {\n"
    "  if (a(i, 0) == b(0)) continue;\n"
    "  T s = 0;\n"
    "  for (int j = 0; j < n; ++j) s += a(i, j) * b(j);\n"
    "  w(i) = s;\n"
    "}\n"
    "x += w[m - 1];\n"
    "if (b(1) == b(2)) w.data()[0] = b(2);";

void compare(const char* what, const GufuncCase& c, int64_t offset = 0) {
  try {
    if (run(c, true, offset) != run(c, false, offset))
      check::report(__FILE__, __LINE__) << what << ": staged cores give another result\n";
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__) << what << ": " << e.what() << "\n";
  }
}

void all() {
  GufuncCase c{"(m,n),(n)->(m),()", body};
  c.sizes = {4, 5};
  c.shape = {333};
  compare("float", c);
  for (const DType t : {DType::i8, DType::c128}) {
    c.dtype = t;
    c.sizes = {4, t == DType::i8 ? 12 : 8};
    compare("size of elements", c);
    if (t == DType::i8) compare("words that are not aligned", c, 3);
  }
  c.dtype = DType::i8;
  c.sizes = {5, 7};
  compare("no words", c, 1);
  c.dtype = DType::f32;
  c.sizes = {4, 3};
  c.shape = {3, 111};
  c.outer = {{}, {0, 3}};
  compare("a row again and again", c, 1);
  c.outer = {{}, {3, 0}, {450, 4}};
  compare("one for each row, and padded rows", c);
  c.order = Order::f;
  compare("Fortran's order", c);
  GufuncCase turned{"(n)->(n)", "for (int j = 0; j < n; ++j) w(j) = a(n - 1 - j);"};
  turned.sizes = {6};
  turned.shape = {4, 100};
  turned.outer = {{}, {700, 6}};
  compare("whole cores in padded rows", turned);
  GufuncCase half{"(n)->(n)", "for (int j = 1; j < n; ++j) w(j) = a(n - 1 - j);", DType::f16};
  half.sizes = {32};
  half.shape = {67};
  for (const int64_t offset : {1, 2}) compare("half", half, offset);
}

}  // namespace

int main() {
  all();
  return check::result();
}
