// Compiled code that a user gives, and the instances packed before what is kept.
#include "device/image_kind.hpp"
#include "targets.hpp"
#ifdef GPUARR_HAS_CUDA
#include "cuda/compile/image.hpp"
#endif

void fuzz::image(std::string_view input) {
  gpuarr::image_fault(input);
#ifdef GPUARR_HAS_CUDA
  survive([&] { gpuarr::cuda::unpack(input); });
#endif
}
