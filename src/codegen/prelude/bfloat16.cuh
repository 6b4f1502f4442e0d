// bfloat16, as generated kernels and gpuarr.cuh have it.

namespace gpuarr_prelude {
typedef short_float<brain16> bfloat16;
}
