// Streams of another library, which may destroy them once all references to ours are released.
#pragma once

#include <memory>

#include "cuda/device/stream.hpp"

namespace gpuarr::cuda {

/// The one stream that we have of a handle, with a reference that counts as a user's. After the
/// last of these is gone the stream is retired: an event marks its end, and the handle is not
/// touched again. Arrays and the pool may keep the stream; borrowing the handle again brings it
/// back.
std::shared_ptr<Stream> borrow(CudaDevice& device, CUstream native);

}  // namespace gpuarr::cuda
