// How an operation's table says what the library's function gets: calls<gpuarr_trace, output<0>,
// array_at<0>, whole_or<1, 0>, fixed<-2>, fixed<-1>>.
#pragma once

#include "cli/base/error.hpp"
#include "cli/op/op.hpp"

namespace cli {

/// Calls the function with what each parameter takes of the call, and with the stream.
template <auto function, auto... parameters>
void calls(OpCall& call) {
  check(function(parameters(call)..., call.stream));
}

template <size_t k>
gpuarr_array** output(OpCall& call) {
  return &call.outputs[k];
}
template <size_t k>
const gpuarr_array* array_at(OpCall& call) {
  return call.array(k);
}
template <size_t k>
const gpuarr_array* array_or_null(OpCall& call) {
  return k < call.inputs.size() ? call.array(k) : nullptr;
}
template <size_t k>
int64_t whole_at(OpCall& call) {
  return call.whole(k);
}
template <size_t k, int64_t otherwise>
int64_t whole_or(OpCall& call) {
  return call.whole_or(k, otherwise);
}
template <size_t k, int32_t otherwise>
int32_t flag_or(OpCall& call) {
  return static_cast<int32_t>(call.whole_or(k, otherwise));
}
template <int32_t otherwise>
int32_t axis_or(OpCall& call) {
  return call.axis(otherwise);
}
template <auto value>
auto fixed(OpCall& /*call*/) {
  return value;
}

}  // namespace cli
