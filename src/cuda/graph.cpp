#include "cuda/graph.hpp"

#include <utility>

#include "core/error.hpp"

namespace gpuarr::cuda {
namespace {

class CudaGraphExec final : public GraphExec {
 public:
  CudaGraphExec(CudaDevice& device, CUgraph graph, std::shared_ptr<Kept> kept)
      : GraphExec(device, std::move(kept)), device_(device) {
    device.api().graph_instantiate(&exec_, graph, 0);
  }
  // The driver does what was launched.
  ~CudaGraphExec() override {
    device_.dispose([](const Driver& api,
                       void* e) { api.graph_exec_destroy.unchecked(static_cast<CUgraphExec>(e)); },
                    exec_);
  }

  void update(CUgraph graph, const std::shared_ptr<Kept>& kept);

 private:
  void run(Stream& stream) override {
    device_.enter();
    device_.api().graph_launch(exec_, native(stream));
  }

  CudaDevice& device_;
  CUgraphExec exec_ = nullptr;
};

const char* reason(CUgraphExecUpdateResult result) {
  switch (result) {
    case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED:
      return "it has other nodes, or other edges between them";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED:
      return "a node is of another type, such as a copy instead of a kernel";
    case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
      return "a node has another kernel that cannot take its place";
    case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
      return "a node's parameters changed in a way that the driver does not allow";
    default:
      return "the driver does not say why";
  }
}

void CudaGraphExec::update(CUgraph graph, const std::shared_ptr<Kept>& kept) {
  device_.enter();
  CUgraphExecUpdateResultInfo info{};
  CUresult result = device_.api().graph_exec_update.unchecked(exec_, graph, &info);
  if (result == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) fail_update(reason(info.result));
  if (result != CUDA_SUCCESS) device_.api().fail("cuGraphExecUpdate", result);
  keep_instead(kept);
}

class CudaGraph final : public Graph {
 public:
  CudaGraph(CudaDevice& device, CUgraph graph, std::shared_ptr<Kept> kept)
      : Graph(device, std::move(kept)), device_(device), graph_(graph) {}
  ~CudaGraph() override { destroy(device_, graph_); }

  static void destroy(CudaDevice& device, CUgraph graph) {
    device.dispose(
        [](const Driver& api, void* g) { api.graph_destroy.unchecked(static_cast<CUgraph>(g)); },
        graph);
  }

  int64_t nodes() override {
    device_.enter();
    size_t count = 0;
    device_.api().graph_get_nodes(graph_, nullptr, &count);
    return static_cast<int64_t>(count);
  }
  std::shared_ptr<GraphExec> instantiate() override {
    clear_finished_graphs();
    device_.enter();
    return std::make_shared<CudaGraphExec>(device_, graph_, kept());
  }
  void update(GraphExec& exec) override {
    static_cast<CudaGraphExec&>(exec).update(graph_, kept());
  }

 private:
  CudaDevice& device_;
  CUgraph graph_;
};

}  // namespace

std::shared_ptr<Graph> end_capture_of(CudaDevice& device, CUstream stream, const Capture& capture) {
  CUgraph graph = nullptr;
  CUresult result = device.api().stream_end_capture.unchecked(stream, &graph);
  if (result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED) fail_unjoined();
  if (result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    fail(GPUARR_ERR_UNSUPPORTED,
         "something was called during the capture that cannot be captured, in this library or "
         "another one, such as waiting for stream or using CUDA's legacy default stream; there is "
         "no graph, and stream does its work at once again");
  if (result != CUDA_SUCCESS) device.api().fail("cuStreamEndCapture", result);
  try {
    return std::make_shared<CudaGraph>(device, graph, capture.kept());
  } catch (...) {
    CudaGraph::destroy(device, graph);
    throw;
  }
}

}  // namespace gpuarr::cuda
