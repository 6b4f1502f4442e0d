/* Loads .npy files and saves them again, and prints what they hold, for npy_numpy.py to compare:
 *
 *     npy_echo IN OUT [IN OUT ...]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuarr.h"

static int echo(gpuarr_device* device, const char* in, const char* out) {
  gpuarr_array* array = NULL;
  gpuarr_status status = gpuarr_npy_load(&array, device, in, NULL);
  if (status == GPUARR_OK) status = gpuarr_npy_save(out, array, NULL);
  if (status != GPUARR_OK) fprintf(stderr, "%s\n", gpuarr_last_error());
  if (array != NULL)
    printf("%s %d %" PRId64 "\n", gpuarr_dtype_name(gpuarr_array_dtype(array)),
           gpuarr_array_ndim(array), gpuarr_array_size(array));
  gpuarr_array_release(array);
  return status == GPUARR_OK ? 0 : 1;
}

int main(int argc, char** argv) {
  gpuarr_device* device = NULL;
  const char* name = getenv("GPUARR_TEST_DEVICE");
  int failures = 0;
  if (gpuarr_device_open(&device, name != NULL ? name : "host") != GPUARR_OK) {
    fprintf(stderr, "%s\n", gpuarr_last_error());
    return 77;
  }
  for (int i = 1; i + 1 < argc; i += 2) failures += echo(device, argv[i], argv[i + 1]);
  return failures == 0 && gpuarr_live_objects() == 0 ? 0 : 1;
}
