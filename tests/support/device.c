/* The device under test; see support.h. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { SKIPPED = 77 };

const char* test_device_name(void) {
  const char* name = getenv("GPUARR_TEST_DEVICE");
  return name == NULL || *name == '\0' ? "host" : name;
}

int test_device_is_host(void) { return strcmp(test_device_name(), "host") == 0; }

gpuarr_device* open_test_device(void) {
  gpuarr_device* device = NULL;
  gpuarr_status status = gpuarr_device_open(&device, test_device_name());
  if (status == GPUARR_ERR_NO_DRIVER || status == GPUARR_ERR_NO_DEVICE ||
      status == GPUARR_ERR_UNSUPPORTED) {
    print_message("skipped: %s\n", gpuarr_last_error());
    exit(SKIPPED);
  }
  assert_ok(status);
  return device;
}
