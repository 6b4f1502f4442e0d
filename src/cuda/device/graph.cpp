// Graphs of a GPU.
#include "device/graph.hpp"

#include <utility>

#include "core/error.hpp"
#include "cuda/device/stream.hpp"

namespace gpuarr::cuda {
namespace {

// The driver's graph, which a graph and what was made of it share.
using Captured = std::shared_ptr<CUgraph_st>;

class CudaGraphExec final : public GraphExec {
 public:
  CudaGraphExec(CudaDevice& device, Captured graph, std::shared_ptr<Kept> kept)
      : GraphExec(device, std::move(kept)), device_(device), graph_(std::move(graph)) {
    device.api().graph_instantiate(&exec_, graph_.get(), 0);
  }
  // The driver does what was launched.
  ~CudaGraphExec() override { device_.dispose<&Driver::graph_exec_destroy>(exec_); }

  void update(Captured graph, const std::shared_ptr<Kept>& kept);

 private:
  void run(Stream& stream) override {
    if (stream.captures()) [[unlikely]]
      return become_part(stream);
    device_.enter();
    device_.api().graph_launch(exec_, native(stream));
  }
  void become_part(Stream& stream);

  CudaDevice& device_;
  Captured graph_;
  CUgraphExec exec_ = nullptr;
};

// The driver captures no launch of a graph; its graph is put where the launch would be.
void CudaGraphExec::become_part(Stream& stream) {
  device_.enter();
  const Driver& api = device_.api();
  CUstreamCaptureStatus status{};
  CUgraph whole = nullptr;
  const CUgraphNode* before = nullptr;
  size_t count = 0;
  api.stream_get_capture(native(stream), &status, nullptr, &whole, &before, &count);
  if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    fail(GPUARR_ERR_UNSUPPORTED, "the capture of stream failed before; end it");
  CUgraphNode node = nullptr;
  api.graph_add_child(&node, whole, before, count, graph_.get());
  api.stream_update_capture(native(stream), &node, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

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

void CudaGraphExec::update(Captured graph, const std::shared_ptr<Kept>& kept) {
  device_.enter();
  CUgraphExecUpdateResultInfo info{};
  if (!device_.api().graph_exec_update.succeeds_unless(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, exec_,
                                                       graph.get(), &info))
    fail_update(reason(info.result));
  graph_ = std::move(graph);
  keep_instead(kept);
}

class CudaGraph final : public Graph {
 public:
  CudaGraph(CudaDevice& device, Captured graph, std::shared_ptr<Kept> kept)
      : Graph(device, std::move(kept)), device_(device), graph_(std::move(graph)) {}

  int64_t nodes() override {
    device_.enter();
    size_t count = 0;
    device_.api().graph_get_nodes(graph_.get(), nullptr, &count);
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
  Captured graph_;
};

}  // namespace

// The stream works again, even where there is no graph.
std::shared_ptr<Graph> CudaStream::finish_capture(Capture& capture) {
  device_.enter();
  CUgraph graph = nullptr;
  CUresult result = device_.api().stream_end_capture.unchecked(stream_, &graph);
  if (result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED) fail_unjoined();
  if (result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    fail(GPUARR_ERR_UNSUPPORTED,
         "a call during the capture, of this library or another one, cannot be captured, such as "
         "waiting for stream or using CUDA's legacy default stream; no graph was created, and "
         "stream runs its work directly again");
  if (result != CUDA_SUCCESS) device_.api().fail("cuStreamEndCapture", result);
  const auto destroy = [&device = device_](CUgraph g) {
    device.dispose<&Driver::graph_destroy>(g);
  };
  return std::make_shared<CudaGraph>(device_, Captured(graph, destroy), capture.kept());
}

}  // namespace gpuarr::cuda
