// Launches that are done again for other arrays: on $GPUARR_TEST_DEVICE, arrays that lie anywhere
// in one piece of memory, so that they are aligned in any way, and results meet operands and one
// another, have the values that they have when each node is computed alone.
#include <optional>
#include <string>
#include <vector>

#include "check.hpp"
#include "expr/formula.hpp"
#include "expr/open.hpp"
#include "expr_eager.hpp"
#include "kernel/overlap.hpp"

using namespace gpuarr;
using namespace building;

namespace {

constexpr int64_t room = 6000;  // elements

int64_t drawn_below(int64_t end) {
  return std::uniform_int_distribution<int64_t>(0, end - 1)(random_bits());
}

struct Formed {
  const char* name;
  Expr (*make)(const Expr& x, const Expr& y);
};

const Formed formed[] = {
    {"loop", [](const Expr& x, const Expr& y) { return 2 * ((x - y) * (x + y)) + x; }},
    {"broadcast", [](const Expr& x, const Expr& y) { return x * over(Reducer::sum, y, 1, true); }},
    {"reduction", [](const Expr& x, const Expr& y) { return over(Reducer::sum, x * y + 1, 1); }},
    {"all", [](const Expr& x, const Expr& y) { return sum(x - 3 * y); }},
    {"beside",
     [](const Expr& x, const Expr& y) {
       return over(Reducer::mean, x, 1, true) - expr::slice_node(y, 1, 0, 1, 1);
     }},
    {"variance", [](const Expr& x, const Expr& y) { return over(Reducer::var, x + y, 1); }},
    {"columns", [](const Expr& x, const Expr& y) { return x - over(Reducer::mean, y, 0, true); }},
    {"reductions of reductions",
     [](const Expr& x, const Expr& y) {
       const Expr less = x - over(Reducer::max, y, 0, true);
       return over(Reducer::sum, less * x, 0) + over(Reducer::mean, y, 0);
     }},
    {"rows",
     [](const Expr& x, const Expr& y) {
       const Expr e = exp(x - over(Reducer::max, x, 1, true)) + square(y);
       return e / over(Reducer::sum, e, 1, true);
     }},
};

// Views of the memory that all are in, most of them at one of a few places.
class Memory {
 public:
  Memory(DType dtype, const Dims& shape)
      : all_(drawn(dtype, {room})), shape_(shape), strides_(dense_strides(shape, Order::c)) {}

  void refill() { convert(all_, drawn(all_.dtype, {room}), stream()); }

  Array view() const { return all_.view({shape_, strides_}, place()); }
  Array result(const expr::Node& node) const {
    return all_.view({node.shape, dense_strides(node.shape, Order::c)}, place());
  }

 private:
  int64_t place() const {
    const int64_t most = room - size_of(shape_);
    return drawn_below(2) == 0 ? drawn_below(most) : drawn_below(4) * (most / 4);
  }

  Array all_;
  Dims shape_, strides_;
};

void compare(const std::string& what, const Array& got, const Array& wanted) {
  const std::vector<double> a = values_of(got), w = values_of(wanted);
  const double close = wanted.dtype == DType::f64 ? 1e-10 : 1e-3;
  CHECK_EQ(a.size(), w.size());
  for (size_t k = 0; k < a.size() && k < w.size(); ++k) {
    if (std::abs(a[k] - w[k]) <= close * (1 + std::abs(w[k]))) continue;
    check::report(__FILE__, __LINE__) << what << ": element " << k << " is " << a[k] << ", not "
                                      << w[k] << " (seed " << test_seed() << ")\n";
    return;
  }
}

// What is wanted is of copies, since a result may lie on what is read.
void evaluate_again(const Formed& form, DType dtype, const Dims& shape) {
  Memory memory(dtype, shape);
  const expr::Formula formula({form.make(expr::input_node(0), expr::input_node(1))});
  for (int turn = 0; turn < 40; ++turn) {
    memory.refill();
    const Array x = memory.view(), y = memory.view();
    const Expr root = form.make(of(x), of(y));
    const Array wanted =
        one_after_another(form.make(of(converted(x, dtype)), of(converted(y, dtype))));
    const std::optional<Array> given =
        turn % 3 == 0 ? std::nullopt : std::optional(memory.result(*root));
    const Array* const into = given ? &*given : nullptr;
    const Argument inputs[] = {{&x, nullptr}, {&y, nullptr}};
    auto made = turn % 2 == 0 ? expr::evaluate({&root, 1}, {&into, 1}, &stream())
                              : formula.call(inputs, {&into, 1}, &stream());
    compare(form.name, given ? *given : *made[0], wanted);
  }
}

using Roots = std::vector<Expr> (*)(const Expr& x, const Expr& y);

std::vector<Expr> in_one_loop(const Expr& x, const Expr& y) { return {x + y, x * y}; }
std::vector<Expr> one_of_the_other(const Expr& x, const Expr& y) {
  const Expr less = x - over(Reducer::mean, y, 0, true);
  return {less, over(Reducer::sum, less * y, 0)};
}

void two_results(DType dtype, Roots roots_of) {
  Memory memory(dtype, {30, 40});
  for (int turn = 0; turn < 60; ++turn) {
    memory.refill();
    const Array x = memory.view(), y = memory.view();
    const std::vector<Expr> roots = roots_of(of(x), of(y));
    const std::vector<Expr> copies = roots_of(of(converted(x, dtype)), of(converted(y, dtype)));
    const Array one = one_after_another(copies[0]), other = one_after_another(copies[1]);
    const Array first = memory.result(*roots[0]), second = memory.result(*roots[1]);
    const Array* const into[] = {&first, turn % 2 == 0 ? &second : nullptr};
    try {
      const auto made = expr::evaluate(roots, into, &stream());
      CHECK(into[1] == nullptr || !may_overlap(first, second));
      compare("the first of two", first, one);
      compare("the second of two", into[1] != nullptr ? second : *made[1], other);
    } catch (const Error& e) {
      CHECK_EQ(e.status(), GPUARR_ERR_OVERLAP);
      CHECK(into[1] != nullptr && may_overlap(first, second));
    }
  }
}

void what_is_refused_is_refused_again() {
  const Array x = drawn(DType::f32, {50}), y = drawn(DType::f32, {50});
  const auto into = [&](const Array& result) -> int {
    const Expr root = 2 * (of(x) + of(y));
    const Array* const given = &result;
    try {
      expr::evaluate({&root, 1}, {&given, 1}, &stream());
    } catch (const Error& e) {
      return e.status();
    }
    return GPUARR_OK;
  };
  Array good = drawn(DType::f32, {50}), fixed = good;
  fixed.read_only = true;
  for (int turn = 0; turn < 3; ++turn) {
    CHECK_EQ(into(good), GPUARR_OK);
    CHECK_EQ(into(fixed), GPUARR_ERR_ARGUMENT);
    CHECK_EQ(into(drawn(DType::f32, {49})), GPUARR_ERR_SHAPE);
    CHECK_EQ(into(drawn(DType::i32, {50})), GPUARR_ERR_DTYPE);
    CHECK_EQ(into(drawn(DType::f64, {50})), GPUARR_OK);
  }
}

}  // namespace

int main() {
  for (const DType dtype : {DType::f32, DType::f64}) {
    if (check::sanitized && dtype != DType::f32) continue;  // the same but for its kernels
    for (const Dims& shape : {Dims{30, 40}, Dims{9, 130}, Dims{1, 1}})
      for (const Formed& form : formed) evaluate_again(form, dtype, shape);
  }
  for (const Roots roots : {in_one_loop, one_of_the_other}) two_results(DType::f32, roots);
  what_is_refused_is_refused_again();
  return check::result();
}
