// Every form of a reduction's CUDA source compiles for the GPUs of three generations, on a machine
// without one.
#include <algorithm>
#include <iostream>

#include "check.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/reduction.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"

using namespace gpuarr;

namespace {

ReductionText text_of(const char* map, const char* reduce, const char* post, const char* type) {
  return {"test", "", type, map, reduce, post, std::nullopt};
}

const char* const pair_preamble =
    "struct pair { float value; int at; __device__ pair() {} "
    "__device__ pair(float v, int a) : value(v), at(a) {} };\n"
    "__device__ pair larger(pair a, pair b) { return b.value > a.value ? b : a; }";

// A reduction over made-up addresses: nothing is run.
struct Case {
  std::string name;
  Dims shape;
  std::vector<int> axes;
  struct Arg {
    std::string name;
    Role role;
    DType dtype;
    Dims strides;  // of the inputs' shape; of an output: of the results' shape
    int64_t offset = 0;
  };
  std::vector<Arg> args;
};

constexpr Stage staged[] = {Stage::partial, Stage::combine, Stage::finish};

bool is_staged(Stage stage) {
  return std::find(std::begin(staged), std::end(staged), stage) != std::end(staged);
}

struct Written {
  ReductionPlan plan;
  std::string source;
};

Written write(const Case& c, const ReductionText& text, Stage stage, bool ordered) {
  ReducedAxes axes;
  for (int axis : c.axes) axes.reduced[static_cast<size_t>(axis)] = true;
  Dims results;
  for (int axis = 0; axis < c.shape.size(); ++axis)
    if (!axes.reduced[static_cast<size_t>(axis)]) results.push_back(c.shape[axis]);
  std::vector<Layout> layouts;
  for (const auto& a : c.args)
    layouts.push_back({a.role == Role::output ? results : c.shape, a.strides});
  std::vector<Operand> operands;
  std::vector<OperandName> names;
  for (size_t k = 0; k < c.args.size(); ++k) {
    const auto& a = c.args[k];
    auto* data = reinterpret_cast<char*>(0x7f0000000000 + (static_cast<intptr_t>(k) << 36)) +
                 a.offset * size_of(a.dtype);
    operands.push_back({a.role, a.dtype, data, &layouts[k], nullptr});
    names.push_back({a.name});
  }
  ReductionTraits traits = traits_of(text);
  traits.ordered = ordered;
  Piece piece;  // in stages, the last one of a whole that is cut along all axes
  for (int axis = 0; axis < c.shape.size() && is_staged(stage); ++axis) {
    piece.first.push_back(c.shape[axis]);
    piece.whole.push_back(2 * c.shape[axis]);
  }
  Written out;
  out.plan.variant.stage = stage;
  make_reduction_plan(out.plan, cuda_target, operands, c.shape, axes, traits, piece);
  out.source = reduction_source(text, cuda_target, out.plan.variant, names, {});
  return out;
}

Case one_of(DType t, const char* name, const Dims& shape, std::vector<int> axes, const Dims& x,
            const Dims& y, int64_t offset = 0) {
  return {
      name, shape, std::move(axes), {{"x", Role::input, t, x, offset}, {"y", Role::output, t, y}}};
}

// More results than 31 bits count, or more elements than 32 bits do.
std::vector<Case> large_cases_of(DType t) {
  const int64_t many = INT32_MAX + int64_t{18};
  return {
      one_of(t, "many short results", {many, 4}, {1}, {4, 1}, {1}),
      one_of(t, "many ragged results", {many, 51}, {1}, {52, 1}, {1}),
      one_of(t, "many long results", {many, 200}, {1}, {200, 1}, {1}),
      one_of(t, "many columns", {9, many}, {0}, {many, 1}, {1}),
      one_of(t, "many inner columns", {1 << 21, 40, 1 << 12}, {1}, {40 << 12, 1 << 12, 1},
             {4096, 1}),
      one_of(t, "many without an axis", {many}, {}, {1}, {1}),
      one_of(t, "long row, one off", {(int64_t{1} << 32) + 5}, {0}, {1}, {}, 1),
      one_of(t, "long row, few packs", {many}, {0}, {1}, {}),
  };
}

std::vector<Case> cases_of(DType t) {
  const Role in = Role::input;
  const Role out = Role::output;
  auto one = [&](const char* name, const Dims& shape, std::vector<int> axes, const Dims& x,
                 const Dims& y, int64_t offset = 0) {
    return one_of(t, name, shape, std::move(axes), x, y, offset);
  };
  return {
      one("full", {1 << 20}, {0}, {1}, {}),
      one("full, one off", {1 << 20}, {0}, {1}, {}, 1),
      one("few elements", {20}, {0}, {1}, {}),
      one("one element", {1}, {0}, {1}, {}),
      one("rows", {100, 4096}, {1}, {4096, 1}, {1}),
      one("many rows", {8192, 256}, {1}, {256, 1}, {1}),
      one("ragged rows", {8192, 255}, {1}, {257, 1}, {1}),
      one("short rows", {1 << 20, 8}, {1}, {8, 1}, {1}),
      one("short ragged rows", {1 << 20, 51}, {1}, {52, 1}, {1}),
      one("strided rows", {100, 4096}, {1}, {8192, 2}, {1}),
      one("backwards", {100, 4096}, {1}, {4096, -1}, {1}),
      one("mixed", {64, 16, 64}, {0, 2}, {1024, 64, 1}, {1}),
      one("ragged mixed", {64, 16, 63}, {0, 2}, {1024, 64, 1}, {1}),
      one("columns", {4096, 128}, {0}, {128, 1}, {1}),
      one("ragged columns", {4096, 100}, {0}, {103, 1}, {1}),
      one("wide columns", {8, 1 << 20}, {0}, {1 << 20, 1}, {1}),
      one("inner columns", {64, 32, 128}, {1}, {4096, 128, 1}, {128, 1}),
      one("columns of two axes", {64, 32, 128, 4}, {0, 2}, {16384, 512, 4, 1}, {4, 1}),
      one("no axis", {1 << 20}, {}, {1}, {1}),
      one("wide", {1 << 18, 1 << 15}, {0, 1}, {1 << 15, 1}, {}),
      one("wide and strided", {1 << 18, 1 << 15}, {0, 1}, {1 << 16, 2}, {}),
      {"two inputs, one off",
       {1 << 20},
       {0},
       {{"x", in, t, {1}}, {"w", in, t, {1}, 1}, {"y", out, t, {}}}},
      {"two inputs, one broadcast along rows",
       {4096, 4096},
       {1},
       {{"x", in, t, {4096, 1}}, {"w", in, t, {1, 0}}, {"y", out, t, {1}}}},
      {"two inputs, one broadcast along columns",
       {4096, 4096},
       {0},
       {{"x", in, t, {4096, 1}}, {"w", in, t, {1, 0}}, {"y", out, t, {1}}}},
      {"two outputs",
       {4096, 128},
       {0},
       {{"x", in, t, {128, 1}}, {"y", out, t, {1}}, {"z", out, t, {2}}}},
  };
}

const Case& named(const std::vector<Case>& cases, const char* name) {
  for (const Case& c : cases)
    if (c.name == name) return c;
  std::abort();
}

ReductionText sum_of(DType t) { return text_of("x", "a + b", "y = a", facts_of(t).cxx); }

class Sources {
 public:
  explicit Sources(cuda::Compiler& compiler) : compiler_(compiler) {}

  void compile(const Case& c, const ReductionText& text, Stage stage, bool ordered) {
    std::string source = write(c, text, stage, ordered).source;
    try {
      CHECK(compiles(compiler_, "test", source));
    } catch (const Error& e) {
      check::report(__FILE__, __LINE__) << c.name << ": " << e.what() << "\n" << source;
    }
  }

  void compile_dtype(DType t) {
    for (const Case& c : cases_of(t)) compile(c, sum_of(t), Stage::whole, false);
  }

  // Results have two numbers then: in their set, and of the whole.
  void compile_numbers(const ReductionText& text) {
    const auto cases = cases_of(DType::f32);
    for (const char* name : {"full", "short ragged rows", "ragged mixed", "ragged columns",
                             "columns of two axes", "two outputs"})
      for (Stage stage : staged) compile(named(cases, name), text, stage, name[0] == 'c');
    for (Stage stage : staged) compile(large_cases_of(DType::f32)[4], text, stage, false);
  }

  void compile_features() {
    ReductionText largest = text_of("pair(x, _J + _j + i + _in_ind.get()[0])", "larger(a, b)",
                                    "y = a.at + i + _out_ind.size() + _out_ind.get()[0]", "pair");
    largest.preamble = pair_preamble;
    ReductionText padded = text_of("three{(signed char)x, 1, 2}", "add3(a, b)", "y = a.x", "three");
    padded.preamble =
        "struct three { signed char x, y, z; };\n"
        "__device__ three add3(three a, three b) { a.x += b.x; a.y += b.y; return a; }";
    padded.identity = "three{0, 0, 0}";
    for (const Case& c : cases_of(DType::f32)) compile(c, largest, Stage::whole, true);
    compile_numbers(largest);
    const auto cases = cases_of(DType::f64);
    for (const char* name : {"full", "many rows", "short ragged rows", "columns"})
      for (Stage stage :
           {Stage::whole, Stage::partial, Stage::combine, Stage::finish, Stage::empty})
        compile(named(cases, name), padded, stage, false);
    ReductionText defining = sum_of(DType::f64);  // macros and functions of a text are its own
    defining.reduce_type = "mine";
    defining.map = "mine{x}";
    defining.reduce = "mine{a.v + b.v}";
    defining.post = "y = a.v";
    std::string preamble = "struct mine { double v; };\n";
    for (const char* name :
         {"fold", "fold_columns", "fold_in_order", "fold_lines", "fold_ragged", "fold_splits",
          "fold_whole", "join_lanes", "join_lines", "join_warps", "is_last_block", "of_lane_above"})
      for (const char* more : {"", "int n, "})
        preamble += std::string("template <") + more + "class... A> __device__ void " + name +
                    "(A&&...) = delete;\n";
    for (const char* word :
         {"Partial", "Place", "Split", "active", "base",   "count", "fold", "has",
          "item",    "lane",  "line",  "p",      "parts",  "place", "q",    "result",
          "size",    "split", "sum",   "sums",   "values", "width", "words"})
      preamble += std::string("#define ") + word + " gpuarr is not to see this\n";
    defining.preamble = preamble;
    for (const char* name : {"full", "few elements", "many rows", "short ragged rows", "columns"})
      compile(named(cases, name), defining, Stage::whole, false);
    for (Stage stage : {Stage::partial, Stage::combine, Stage::finish, Stage::empty})
      compile(large_cases_of(DType::f64)[0], padded, stage, false);
    for (const Case& c : large_cases_of(DType::i8))
      compile(c, sum_of(DType::i8), Stage::whole, false);
  }

 private:
  cuda::Compiler& compiler_;
};

// Else the cases above would not be what they say.
void plans_are_what_they_should_be() {
  auto cases = cases_of(DType::f32);
  const ReductionText sum = text_of("x", "a + b", "y = a", "float");
  auto plan = [&](const char* name, bool ordered = false) {
    return write(named(cases, name), sum, Stage::whole, ordered).plan;
  };
  struct Expected {
    const char* name;
    ReductionForm form;
    int pack, lanes;
    bool single, exact, shifts;
  };
  const ReductionForm rows = ReductionForm::rows;
  const ReductionForm columns = ReductionForm::columns;
  for (const Expected& e : {Expected{"full", rows, 4, 256, false, true, false},
                            {"full, one off", rows, 4, 256, false, false, true},
                            {"few elements", rows, 4, 8, true, true, false},
                            {"rows", rows, 4, 256, false, true, false},
                            {"many rows", rows, 4, 32, false, true, false},
                            {"ragged rows", rows, 4, 32, false, false, true},
                            {"short rows", rows, 4, 2, true, true, false},
                            {"short ragged rows", rows, 4, 16, true, false, false},
                            {"strided rows", rows, 1, 256, false, true, false},
                            {"mixed", rows, 4, 256, false, true, false},
                            {"columns", columns, 4, 32, false, true, false},
                            {"ragged columns", columns, 1, 32, false, true, false},
                            {"wide columns", columns, 4, 256, false, true, false}}) {
    ReductionPlan p = plan(e.name);
    if (p.variant.form != e.form || p.variant.pack != e.pack || p.variant.lanes != e.lanes ||
        p.variant.single != e.single || p.variant.exact != e.exact || p.variant.shifts != e.shifts)
      check::report(__FILE__, __LINE__)
          << e.name << ": form " << static_cast<int>(p.variant.form) << " pack " << p.variant.pack
          << " lanes " << p.variant.lanes << " single " << p.variant.single << " exact "
          << p.variant.exact << " shifts " << p.variant.shifts << "\n";
  }
  CHECK(plan("wide").variant.wide && !plan("wide").variant.many);
  for (const Case& c : large_cases_of(DType::f32)) {
    const ReductionPlan p = write(c, sum, Stage::whole, false).plan;
    const bool is_long = c.name.starts_with("long row");
    CHECK(p.variant.many != is_long && p.variant.wide == is_long && p.items() < int64_t{1} << 31);
    CHECK(geometry_of(p, 1056).blocks <= INT32_MAX);
  }
  CHECK(!plan("columns").variant.many && !plan("columns").variant.wide);
  CHECK(plan("ragged rows", true).variant.pack == 1);
}

}  // namespace

int main() {
  plans_are_what_they_should_be();
  cuda::Compiler hopper(90, 13);
  try {
    hopper.description();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return check::result() == 0 ? 77 : check::result();
  }
  Sources(hopper).compile_dtype(DType::f32);
  Sources(hopper).compile_features();
  for (DType t : {DType::i8, DType::f16, DType::c128})
    for (const char* name : {"full, one off", "ragged rows", "columns"})
      Sources(hopper).compile(named(cases_of(t), name), sum_of(t), Stage::whole, false);
  for (int capability : {80, 100}) {
    cuda::Compiler compiler(capability, 13);
    for (const char* name : {"full, one off", "short rows", "columns"})
      Sources(compiler).compile(named(cases_of(DType::f64), name), sum_of(DType::f64), Stage::whole,
                                false);
  }
  return check::result();
}
