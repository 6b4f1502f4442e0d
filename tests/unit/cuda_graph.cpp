// Reductions in CUDA graphs, on $GPUARR_TEST_DEVICE if that is a GPU: what was captured gives right
// results each time that it runs.
#include <cstdlib>
#include <string>
#include <vector>

#include "backends.hpp"
#include "check.hpp"
#include "cuda/device/device.hpp"
#include "cuda/driver/driver.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/transfer.hpp"

using namespace gpuarr;

namespace {

constexpr int64_t lines = 4096;
constexpr int64_t width = 1024;

// A function of the driver that the library itself has no use for.
template <class F>
Call<cuda::Driver, F> driver_function(const char* name, int version) {
  return {cuda::driver(), name, version};
}

// What is done in a stream while the graph is made, to be run again and again.
class Graph {
 public:
  template <class Body>
  Graph(Stream& stream, Body&& body) : stream_(cuda::native(stream)) {
    driver_function<PFN_cuStreamBeginCapture_v10010>("cuStreamBeginCapture", 10010)(
        stream_, CU_STREAM_CAPTURE_MODE_GLOBAL);
    body();
    driver_function<PFN_cuStreamEndCapture_v10000>("cuStreamEndCapture", 10000)(stream_, &graph_);
    driver_function<PFN_cuGraphInstantiateWithFlags_v11040>("cuGraphInstantiateWithFlags", 11040)(
        &runnable_, graph_, 0);
  }
  ~Graph() {
    driver_function<PFN_cuGraphExecDestroy_v10000>("cuGraphExecDestroy", 10000)
        .unchecked(runnable_);
    driver_function<PFN_cuGraphDestroy_v10000>("cuGraphDestroy", 10000).unchecked(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() {
    driver_function<PFN_cuGraphLaunch_v10000>("cuGraphLaunch", 10000)(runnable_, stream_);
  }

 private:
  CUstream stream_;
  CUgraph graph_ = nullptr;
  CUgraphExec runnable_ = nullptr;
};

// The sums of one array over all of it, its columns and its rows.
struct Sums {
  explicit Sums(Stream& in)
      : stream(in),
        kernel({"int64 x", "int64 y", "x", "a + b", "y = a", "0"}, {}),
        values(static_cast<size_t>(lines * width)),
        x(Array::empty(stream, DType::i64, {lines, width})),
        all(Array::empty(stream, DType::i64, {})),
        columns(Array::empty(stream, DType::i64, {width})),
        rows(Array::empty(stream, DType::i64, {lines})) {}

  PreparedCall prepared(const Array& out, const AxisRequest& axes) {
    const Argument inputs[] = {{&x, nullptr}};
    const Array* outputs[] = {&out};
    return kernel.prepare(inputs, outputs, axes);
  }
  void call(const Array& out, const AxisRequest& axes) {
    const Argument inputs[] = {{&x, nullptr}};
    const Array* outputs[] = {&out};
    kernel.call(inputs, outputs, axes, &stream);
  }

  void fill(int64_t seed) {
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = (static_cast<int64_t>(k) * seed + 5) % 1009 - 300;
    write(x, host_memory(DType::i64, {lines, width}, nullptr, values.data()), stream);
  }
  std::vector<int64_t> read_back(const Array& out) const {
    std::vector<int64_t> result(static_cast<size_t>(out.size()));
    read(host_memory(DType::i64, out.layout.shape, nullptr, result.data()), out, stream);
    return result;
  }
  void check_all() const {
    std::vector<int64_t> of_all(1), of_columns(width), of_rows(lines);
    for (size_t k = 0; k < values.size(); ++k) {
      of_all[0] += values[k];
      of_columns[k % width] += values[k];
      of_rows[k / width] += values[k];
    }
    CHECK(read_back(all) == of_all);
    CHECK(read_back(columns) == of_columns);
    CHECK(read_back(rows) == of_rows);
  }

  Stream& stream;
  Reduction kernel;
  std::vector<int64_t> values;
  Array x, all, columns, rows;
};

const int32_t first[] = {0};
const int32_t last[] = {1};
const AxisRequest every_axis;
const AxisRequest along_columns = {first, false, false};
const AxisRequest along_rows = {last, false, false};

void runs_again_and_again(Device& device) {
  auto stream = device.create_stream(0);
  Sums sums(*stream);
  sums.fill(1);
  PreparedCall all = sums.prepared(sums.all, every_axis);
  PreparedCall columns = sums.prepared(sums.columns, along_columns);
  sums.call(sums.rows, along_rows);  // compiles it
  Graph graph(*stream, [&] {
    CHECK(stream->is_capturing());
    all.launch(*stream);
    columns.launch(*stream);
    sums.call(sums.rows, along_rows);  // no blocks share a row
    all.launch(*stream);               // the workspace is as the first one found it
    const char* refusal = "capture a call that gpuarr_reduction_prepare made";
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, refusal, [&] { sums.call(sums.all, every_axis); });
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, refusal, [&] { sums.call(sums.columns, along_columns); });
  });
  CHECK(!stream->is_capturing());
  for (int64_t seed : {7, 31, 123}) {
    sums.fill(seed);
    graph.run();
    sums.check_all();
  }
  graph.run();
  graph.run();
  sums.check_all();
  sums.fill(9);
  sums.call(sums.all, every_axis);
  sums.call(sums.columns, along_columns);
  sums.call(sums.rows, along_rows);
  sums.check_all();
}

}  // namespace

int main() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  if (name == nullptr || std::string(name).rfind("cuda", 0) != 0) {
    std::cout << "skipped: $GPUARR_TEST_DEVICE is no GPU\n";
    return 77;
  }
  try {
    runs_again_and_again(open_device(name));
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__) << e.what() << '\n';
  }
  return check::result();
}
