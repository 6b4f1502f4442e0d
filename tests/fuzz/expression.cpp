// Expressions as text, as far as nodes: over two arrays and a number.
#include "backends.hpp"
#include "device/stream.hpp"
#include "expr/eval.hpp"
#include "expr/parse/lexer.hpp"
#include "targets.hpp"

void fuzz::expression(std::string_view input) {
  using namespace gpuarr;
  Stream& stream = current_stream(host_device());
  static const Array x = Array::empty(stream, DType::f32, Dims{2, 3});
  static const Array k = Array::empty(stream, DType::i32, Dims{3});
  const expr::Variable variables[] = {{"x", &x}, {"k", &k}, {"n", nullptr, Scalar::of(int64_t{2})}};
  survive([&] {
    const size_t count = expr::count_results(input);
    require(count >= 1 && count <= input.size() + 1, "a text has results");
    const auto nodes = expr::expressions_of(input, variables);
    require(nodes.size() == count, "there are as many as was said");
    for (const expr::Expr& node : nodes)
      require(node->device == &host_device(), "results are on the arrays' device");
  });
  if (expr::is_name(input)) require(!expr::is_keyword(input), "names are no keywords");
}
