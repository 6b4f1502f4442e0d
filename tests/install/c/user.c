/* A user's program: it needs the library's code, its exceptions and its messages. */
#include <gpuarr.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  gpuarr_dtype dtype = 0;
  if (gpuarr_dtype_from_name(&dtype, "float32") != GPUARR_OK || dtype != GPUARR_F32) return 1;
  if (gpuarr_dtype_from_name(&dtype, "float33") != GPUARR_ERR_TYPE) return 2;
  if (strstr(gpuarr_last_error(), "float33") == NULL) return 3;
  printf("libgpuarr %s\n", gpuarr_version());
  return gpuarr_live_objects() != 0;
}
