// What a graph of twenty small kernels costs, beside the same kernels in a graph of the driver's,
// and beside twenty calls.
#include <functional>

#include "graph_bench.hpp"
#include "launch_bench.cuh"

namespace {

/// The same calls captured, made ready and launched by the driver's functions.
class DriverGraph {
 public:
  DriverGraph(const Chain& chain, cudaStream_t stream) : stream_(stream) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    chain.launch();
    check(cudaStreamEndCapture(stream_, &graph_));
    check(cudaGraphInstantiate(&exec_, graph_, 0));
  }
  ~DriverGraph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }
  DriverGraph(const DriverGraph&) = delete;
  DriverGraph& operator=(const DriverGraph&) = delete;
  void launch() const { cuGraphLaunch(exec_, stream_); }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

/// Median times of a launch, of so many at a time until all are done; the calls take turns.
std::vector<double> done_us(cudaStream_t stream, const std::vector<std::function<void()>>& calls,
                            int at_a_time) {
  std::vector<std::vector<double>> times(calls.size());
  for (int turn = 0; turn < 1000 / at_a_time; ++turn)
    for (size_t k = 0; k < calls.size(); ++k) {
      const double begin = now_us();
      for (int launch = 0; launch < at_a_time; ++launch) calls[k]();
      check(cudaStreamSynchronize(stream));
      times[k].push_back((now_us() - begin) / at_a_time);
    }
  std::vector<double> medians;
  for (const auto& t : times) medians.push_back(median(t));
  return medians;
}

constexpr double demand = 1 / 1.05;  // the driver's own and a twentieth

}  // namespace

int main() {
  const TemporaryCache cache;
  const Bench bench("graph");
  Stream stream;
  check(gpuarr_stream_create(stream.out(), bench.device(), 0, 0));
  const auto native = static_cast<cudaStream_t>(gpuarr_stream_native(stream.get()));
  const Report report("graph", gpuarr_device_description(bench.device()));
  const Chain chain(bench.device(), stream.get());
  const GraphExec ours = chain.captured();
  const DriverGraph theirs(chain, native);
  const std::vector<std::function<void()>> calls = {
      [&] { check(gpuarr_graph_exec_launch(ours.get(), stream.get())); }, [&] { theirs.launch(); },
      [&] { chain.launch(); }};
  auto add = [&](const std::string& what, const std::vector<double>& us) {
    report.add({"graph of 20 kernels, " + what, us[0], us[1], demand});
    report.add({"20 prepared calls, " + what, us[2], us[1]});
  };
  add("the call", cpu_us_in_turns(native, calls, 20));  // no more, so that the queue has room
  add("until it is done", done_us(native, calls, 1));
  add("until 20 are done, each", done_us(native, calls, 20));
  return 0;
}
