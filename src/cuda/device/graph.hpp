// Graphs of a GPU.
#pragma once

#include "cuda/device/device.hpp"
#include "device/graph.hpp"

namespace gpuarr::cuda {

/// What the driver noted since the capture of a stream began; the stream works again, even where
/// there is no graph.
std::shared_ptr<Graph> end_capture_of(CudaDevice& device, CUstream stream, const Capture& capture);

}  // namespace gpuarr::cuda
