// float16, as generated kernels and gpuarr.cuh have it.

namespace gpuarr_prelude {
typedef short_float<binary16> float16;
}
