#include "linalg/factors/codes.hpp"

#include <algorithm>
#include <vector>

#include "array/views.hpp"
#include "core/error.hpp"
#include "device/solver.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

// "a", "matrix 3 of the stack a", "matrix (1, 3) of the stack a".
std::string name_matrix(const char* argument, const Dims& stack, int64_t place) {
  if (stack.empty()) return argument;
  Dims indices = stack;
  for (int axis = stack.size() - 1; axis >= 0; --axis) {
    indices[axis] = place % stack[axis];
    place /= stack[axis];
  }
  return stack.size() == 1 ? formatted("matrix {} of the stack {}", indices[0], argument)
                           : formatted("matrix {} of the stack {}", to_string(indices), argument);
}

void check_may_wait(const Stream& stream) {
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured into a graph, so whether the matrices can be factorised is not "
         "known now; give info, which receives a code for each when the graph runs");
}

}  // namespace

Codes::Codes(Wanted& wanted, const Dims& stack, const Dims& matrices, Stream& stream)
    : wanted_(wanted), stack_(stack), stream_(stream) {
  check_given(wanted, DType::i32, stack, stream.device());
  if (!wanted.wanted) check_may_wait(stream);
  codes_ = Array::empty(stream, DType::i32, matrices);
  fill(codes_, Scalar::of(int64_t{0}), stream);
}

void Codes::report(const char* argument, Failure failure) {
  if (wanted_.wanted) {
    const Array all = broadcast(codes_, stack_);
    return deliver(wanted_, all, {stack_, dense_strides(stack_, Order::c)}, stream_);
  }
  std::vector<int32_t> codes(static_cast<size_t>(codes_.size()));
  if (codes.empty()) return;
  stream_.device().lookouts().watch(stream_);  // to such memory a copy waits
  stream_.device().copy_to_host(codes.data(), codes_.data,
                                static_cast<int64_t>(codes.size() * sizeof(int32_t)), stream_);
  stream_.synchronize();
  const auto bad = std::ranges::find_if(codes, [](int32_t code) { return code != 0; });
  if (bad != codes.end())
    failure(*bad, name_matrix(argument, codes_.layout.shape, bad - codes.begin()));
}

void fail_singular(int32_t code, const std::string& which) {
  fail(GPUARR_ERR_SINGULAR, "{} is singular: U({},{}) is 0", which, code, code);
}

void fail_not_positive(int32_t code, const std::string& which) {
  fail(GPUARR_ERR_NOT_POSITIVE_DEFINITE,
       "{} is not positive definite: its leading minor of order {} is not positive", which, code);
}

void fail_no_convergence(int32_t code, const std::string& which) {
  if (code == info_not_finite)
    fail(GPUARR_ERR_NOT_FINITE, "{} has an element that is infinite or NaN", which);
  fail(GPUARR_ERR_NO_CONVERGENCE, "{}: the iteration did not converge (info {})", which, code);
}

void fail_zero_diagonal(int32_t code, const std::string& which) {
  fail(GPUARR_ERR_SINGULAR, "{} is singular: its diagonal element ({},{}) is 0", which, code, code);
}

}  // namespace gpuarr
