// A user's program in C++.
#include <gpuarr.h>

#include <iostream>

int main() {
  gpuarr_dtype dtype = 0;
  if (gpuarr_dtype_from_name(&dtype, "float32") != GPUARR_OK || dtype != GPUARR_F32) return 1;
  std::cout << "libgpuarr " << gpuarr_version() << '\n';
}
