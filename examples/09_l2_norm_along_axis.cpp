// Reductions along one axis: the Euclidean norm of every row and of every column of a matrix.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array;

namespace {

constexpr std::size_t rows = 1000, columns = 257;

std::vector<float> make_matrix() {
  std::vector<float> matrix;
  for (int i = 0; i < static_cast<int>(rows); ++i)
    for (int j = 0; j < static_cast<int>(columns); ++j)
      matrix.push_back(static_cast<float>((7 * i + 3 * j) % 23 - 11));
  return matrix;
}

const std::vector<float> matrix = make_matrix();

// The same by plain loops: of the columns for axis 0, of the rows for axis 1.
void check_norms(const Array& array, int axis) {
  std::vector<double> squares(axis == 0 ? columns : rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const double element = matrix[i * columns + j];
      squares[axis == 0 ? j : i] += element * element;
    }
  const auto norms = array.to_vector<float>();
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const double wanted = std::sqrt(squares[k]);
    expect(norms[k], wanted, 1e-5 * wanted, axis == 0 ? "column" : "row", k);
  }
}

}  // namespace

int main() try {
  const gpuarr::Reduction norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)");
  const Array x = Array::from(matrix, {rows, columns});

  Array of_columns, of_rows, again;  // the calls make them
  norm.run({of_columns}, {x}, {0});
  norm.run({of_rows}, {x}, {-1});
  check_norms(of_columns, 0);
  check_norms(of_rows, 1);

  // A view is as good as an array, and as fast: the transpose's first axis is the matrix' last.
  norm.run({again}, {x.transpose()}, {0});
  check_norms(again, 1);

  // The same in C++, also one pass over the matrix.
  const auto in_cpp = gpuarr::sqrt(gpuarr::sum(x * x, {-1}));
  expect_kernels(gpuarr::explain(in_cpp), 1);
  check_norms(in_cpp, 1);

  std::printf("ok: norms of %d rows and %d columns on %s\n", static_cast<int>(rows),
              static_cast<int>(columns), x.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
