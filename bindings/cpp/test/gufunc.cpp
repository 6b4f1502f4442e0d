// Gufuncs against loops: results that are made and given, groups, order, prepared calls, errors.
#include "check.hpp"

using namespace gpuarr;

namespace {

void results() {
  const Gufunc cross("(3),(3)->(3)", "T a, T b", "T c",
                     "for (int j = 0; j < 3; ++j)\n"
                     "  c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);");
  const Array x = Array::from(std::vector<double>{1, 0, 0, 0, 1, 0}, {2, 3});
  const Array y = Array::from(std::vector<double>{0, 1, 0});
  CHECK(cross(x, y).to_vector<double>() == (std::vector<double>{0, 0, 1, 0, 0, 0}));
  Array z = zeros(GPUARR_F64, {2, 3});
  cross.run({z}, {y, x});
  CHECK(z.to_vector<double>() == (std::vector<double>{0, 0, -1, 0, 0, 0}));
  CHECK_FAILS(GPUARR_ERR_SHAPE, "its core (3) says 3",
              [&] { cross(x, Array::from(std::vector<double>{1})); });
}

void groups_and_orders() {
  const auto elements = check::random_elements<float>({4, 50});
  for (const int group : {int{GPUARR_GROUP_AUTO}, int{GPUARR_GROUP_WARP}, -1, 64})
    for (const int order : {0, 1}) {
      const Gufunc sum("(n),()->()", "T x, T a", "T y",
                       "T s = 0;\n"
                       "for (int j = group.rank(); j < n; j += group.size()) s += x(j);\n"
                       "y = a * group.sum(s);",
                       group, order);
      const Array rows = Array::from(elements, {4, 50});
      const Array sums = sum(order == GPUARR_ORDER_C ? rows : rows.transpose(), 2);
      std::vector<float> expected(4);
      for (std::size_t k = 0; k < elements.size(); ++k) expected[k / 50] += 2 * elements[k];
      CHECK_SAME(sums.to_vector<float>(), expected, 1e-4);
    }
}

void prepared() {
  const Gufunc f("(n)->(n),()", "T x", "T y, T last",
                 "for (int j = 0; j < n; ++j) y(j) = -x(j);\n"
                 "last = n > 0 ? x(n - 1) : 0;");
  const Array x = Array::from(std::vector<int>{1, 2, 3});
  Array y = zeros(GPUARR_I32, {3}), last = zeros(GPUARR_I32, {});
  f.prepare({y, last}, {x}).launch();
  CHECK(y.to_vector<int>() == (std::vector<int>{-1, -2, -3}) && last.item<int>() == 3);
}

}  // namespace

int main() {
  results();
  groups_and_orders();
  prepared();
  return check::result();
}
