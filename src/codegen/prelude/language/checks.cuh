// What kernels in other languages say when an index, an operation or an assertion is wrong. Without
// GPUARR_CHECK_MEMORY all of it is empty, and costs nothing.

namespace gpuarr_check {

struct Place {
  const char* file;
  int line;
};

// Where it stands as the last parameter's default: the place of the call, by the text's #line.
__device__ inline Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return {file, line};
}

}  // namespace gpuarr_check
