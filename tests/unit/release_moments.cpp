// Tests of releases where C++ destroys its own: in destructors of thread_local and static objects,
// some older than the library's first call and some younger.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "check.hpp"
#include "gpuarr.h"

namespace {

gpuarr_device* host() {
  gpuarr_device* device = nullptr;
  CHECK_EQ(gpuarr_device_open(&device, "host"), GPUARR_OK);
  return device;
}

gpuarr_array* make_array() {
  gpuarr_array* array = nullptr;
  const int64_t shape[] = {1000};
  CHECK_EQ(gpuarr_array_zeros(&array, host(), GPUARR_F32, 1, shape, GPUARR_ORDER_C, nullptr),
           GPUARR_OK);
  return array;
}

// Failures have messages, and work in the current stream is done.
void use_the_library() {
  gpuarr_dtype dtype = 0;
  const std::string name(300, 'x');
  CHECK_EQ(gpuarr_dtype_from_name(&dtype, name.c_str()), GPUARR_ERR_TYPE);
  CHECK(std::string(gpuarr_last_error()).find(name) != std::string::npos);
  gpuarr_array* array = make_array();
  CHECK_EQ(gpuarr_array_fill(array, gpuarr_arg_f32(1), nullptr), GPUARR_OK);
  gpuarr_array_release(array);
}

int ended = 0;

struct Owner {
  gpuarr_array* array = nullptr;
  bool is_last = false;  // of the process: what fails now would not be seen otherwise

  ~Owner() {
    use_the_library();
    gpuarr_array_release(array);
    ++ended;
    if (!is_last) return;
    CHECK_EQ(gpuarr_live_objects(), 0);
    CHECK_EQ(ended, 5);  // two of a thread, one of the first thread, two static ones
    if (check::failures > 0) _exit(check::result());
  }
};

Owner oldest;  // so the last to go
thread_local Owner of_thread;

void own_in_a_thread() {
  thread_local Owner older;
  older.array = nullptr;  // made before the thread's first call
  gpuarr_stream* stream = nullptr;
  CHECK_EQ(gpuarr_stream_create(&stream, host(), 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_set_current(host(), stream), GPUARR_OK);
  gpuarr_stream_release(stream);
  use_the_library();
  older.array = make_array();
  of_thread.array = make_array();
}

}  // namespace

int main() {
  oldest.is_last = true;
  std::thread(own_in_a_thread).join();
  CHECK_EQ(ended, 2);
  CHECK_EQ(gpuarr_live_objects(), 0);

  oldest.array = make_array();
  of_thread.array = make_array();  // of the first thread, which ends first in exit()
  use_the_library();
  static Owner youngest;
  youngest.array = make_array();
  return check::result();
}
