// Plans that are kept: what is asked for again and again stays, however many others there are, and
// those are forgotten in turn.
#include <memory>

#include "check.hpp"
#include "expr/program.hpp"
#include "expr_build.hpp"

using namespace gpuarr;
using namespace building;

namespace {

std::shared_ptr<const expr::Program> program_of(int64_t length) {
  const Array x = Array::empty(host_device().own_stream(), DType::f32, Dims{length});
  const Expr root = expr::array_node(x) + 1;
  return expr::program_for(expr::number({&root, 1}), host_device());
}

}  // namespace

int main() {
  constexpr int64_t used = 1, unused = 2, others = 6000;
  const std::weak_ptr<const expr::Program> kept = program_of(used), left = program_of(unused);
  CHECK(program_of(used) == kept.lock());
  for (int64_t k = 0; k < others; ++k) {
    program_of(unused + 1 + k);
    if (k % 1000 == 0) CHECK(program_of(used) == kept.lock());
  }
  CHECK(program_of(used) == kept.lock());
  CHECK(left.expired());
  return check::result();
}
