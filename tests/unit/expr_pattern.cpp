// Expressions that are built anew are told by what was there before, and are never mistaken for it.
#include <string>
#include <vector>

#include "check.hpp"
#include "expr/pattern.hpp"
#include "expr_eager.hpp"

using namespace gpuarr;
using namespace building;

namespace {

Expr product(const Expr& x, const Expr& y, double scale = 2) { return scale * ((x - y) * (x + y)); }

bool matches(const std::vector<Expr>& known, const std::vector<Expr>& roots) {
  const expr::Numbered numbered = expr::number(known);
  const auto pattern =
      expr::Pattern::of(numbered, expr::program_for(numbered, tested_device()), nullptr);
  if (pattern == nullptr) return false;
  const auto found = pattern->match(roots, std::pmr::get_default_resource());
  if (!found) return false;
  CHECK_EQ(found->items.size(), numbered.items.size());
  for (size_t k = 0; k < numbered.items.size(); ++k)
    CHECK(found->items[k].node->kind == numbered.items[k].node->kind);
  return true;
}

void what_matches() {
  const Dims shape{30, 40};
  const Expr x = random_of(DType::f32, shape), y = random_of(DType::f32, shape),
             w = random_of(DType::f64, shape), t = random_of(DType::f32, shape, Order::f),
             row = random_of(DType::f32, {40});
  const Expr known = product(x, y);
  CHECK(matches({known}, {known}));
  CHECK(matches({known}, {product(y, x, 5)}));
  CHECK(matches({known}, {product(of(x->array()), of(y->array()))}));
  CHECK(matches({product(of(x->array()), y)}, {product(y, x)}));
  const auto twice = [](const Expr& a, const Expr& b, const Expr& c, const Expr& d) {
    return sqrt((a - b) * (c - d) + number(2));
  };
  CHECK(matches({twice(x, y, x, y)}, {twice(y, x, y, x)}));
  CHECK(matches({twice(x, y, x, y)}, {square(x - y), twice(x, y, x, y)}) == false);
  CHECK(!matches({twice(x, y, x, y)}, {twice(x, y, y, x)}));
  CHECK(!matches({twice(x, y, y, x)}, {twice(x, y, x, y)}));
  CHECK(!matches({twice(x, y, x, y)}, {twice(x, y, x, w)}));
  const Expr five = number(5);
  CHECK(!matches({(x + five) * (x + five)}, {(x + number(5)) * (x + number(5))}));
  CHECK(!matches({known}, {product(x, x)}));
  CHECK(!matches({known}, {product(of(x->array()), of(x->array()))}));
  CHECK(!matches({known}, {product(x, w)}));
  CHECK(!matches({known}, {product(x, t)}));
  CHECK(!matches({known}, {product(x, row)}));
  CHECK(!matches({known}, {2 * ((x - y) * (x + t))}));
  CHECK(!matches({known}, {2 * ((x - y) * (x * y))}));
  CHECK(!matches({known}, {known, known}));
  CHECK(!matches({known}, {number(2) + (x - y) * (x + y)}));
  CHECK(matches({over(Reducer::sum, x, 0)}, {over(Reducer::sum, y, 0)}));
  CHECK(!matches({over(Reducer::sum, x, 0)}, {over(Reducer::sum, y, 1)}));
  CHECK(!matches({over(Reducer::sum, x, 0)}, {over(Reducer::max, y, 0)}));
  CHECK(!matches({over(Reducer::sum, x, 0)}, {over(Reducer::sum, y, 0, true)}));
  const int32_t first[] = {0};
  const auto variance = [&](double ddof) {
    return expr::reduction_node(Reducer::var, x, {first, false, false}, ddof);
  };
  CHECK(matches({variance(0)}, {variance(0)}));
  CHECK(!matches({variance(0)}, {variance(1)}));
}

// One after another in the place of one pattern: each has its own values.
void in_turns() {
  std::vector<Expr> roots;
  for (const Dims& shape : {Dims{30, 40}, Dims{7}, Dims{30, 40}})
    for (const DType dtype : {DType::f32, DType::i32}) {
      const Expr x = random_of(dtype, shape), y = random_of(dtype, shape);
      for (const double scale : {2.0, 3.0}) {
        roots.push_back(product(x, y, scale));
        roots.push_back(product(x, x, scale));
        roots.push_back(product(y, x, scale));
      }
      roots.push_back((x - y) * (x - y) + (x - y));
      roots.push_back((x - y) * (y - x) + (x - y));
      roots.push_back(product(sum(x), y));
      roots.push_back(product(x, sum(y)));
    }
  for (int turn = 0; turn < 2; ++turn)
    for (const Expr& root : roots) {
      const auto got = values_of(value(root)), wanted = values_of(one_after_another(root));
      CHECK_EQ(got.size(), wanted.size());
      for (size_t k = 0; k < got.size(); ++k)
        CHECK(std::abs(got[k] - wanted[k]) <= 1e-4 * (1 + std::abs(wanted[k])));
    }
}

}  // namespace

int main() {
  what_matches();
  in_turns();
  return check::result();
}
