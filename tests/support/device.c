/* The device under test; see support.h. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

void skip_program(const char* why) {
  print_message("skipped: %s\n", why);
  exit(77);
}

const char* test_device_name(void) {
  const char* name = getenv("GPUARR_TEST_DEVICE");
  return name == NULL || *name == '\0' ? "host" : name;
}

int test_device_is_host(void) { return strcmp(test_device_name(), "host") == 0; }

gpuarr_device* open_test_device(void) {
  gpuarr_device* device = NULL;
  gpuarr_status status = gpuarr_device_open(&device, test_device_name());
  if (status == GPUARR_ERR_NO_DRIVER || status == GPUARR_ERR_NO_DEVICE ||
      status == GPUARR_ERR_UNSUPPORTED)
    skip_program(gpuarr_last_error());
  assert_ok(status);
  return device;
}
