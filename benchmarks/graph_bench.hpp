// What the benchmarks of graphs share: a chain of small kernels, as calls and as a graph.
#pragma once

#include <string>
#include <vector>

#include "objects.hpp"

using Graph = Handle<gpuarr_graph, gpuarr_graph_release>;
using GraphExec = Handle<gpuarr_graph_exec, gpuarr_graph_exec_release>;

/// Twenty kernels in a stream, each of which works on what the one before it made: 1024 elements.
class Chain {
 public:
  static constexpr size_t count = 20;

  Chain(gpuarr_device* device, gpuarr_stream* stream) : stream_(stream) {
    const int64_t n = 1024;
    for (Array& array : arrays_)
      check(gpuarr_array_ones(array.out(), device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, stream));
    check(gpuarr_elementwise_create(kernel_.out(), "T x, T y", "T z", "z = x * y + x", nullptr));
    for (size_t k = 0; k < count; ++k) {
      gpuarr_array* output = arrays_[(k + 1) % 2].get();
      const gpuarr_arg inputs[] = {gpuarr_arg_array(arrays_[k % 2].get()),
                                   gpuarr_arg_array(arrays_[2].get())};
      calls_.emplace_back();
      check(gpuarr_elementwise_prepare(calls_.back().out(), kernel_.get(), &output, 1, inputs, 2,
                                       GPUARR_NO_SIZE));
    }
    launch();  // compiles the kernel
    check(gpuarr_stream_synchronize(stream_));
  }

  void launch() const {
    for (const Call& call : calls_) check(gpuarr_call_launch(call.get(), stream_));
  }

  GraphExec captured() const {
    check(gpuarr_stream_begin_capture(stream_));
    launch();
    Graph graph;
    check(gpuarr_stream_end_capture(graph.out(), stream_));
    GraphExec exec;
    check(gpuarr_graph_instantiate(exec.out(), graph.get()));
    return exec;
  }

 private:
  gpuarr_stream* stream_;
  Array arrays_[3];
  Kernel kernel_;
  std::vector<Call> calls_;
};
