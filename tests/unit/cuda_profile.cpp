// The profile of launches on a GPU, on the stand-in for the driver: which events it makes and asks.
#include "backends.hpp"
#include "cuda_fake.hpp"
#include "kernel/launch/profile.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

// A launch that is none, so that all calls are the profile's.
void launch(Stream& stream, const char* kernel) {
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{kernel, "float32 x", 8, 4};
      },
      [] {});
}

ProfileRow row(const std::string& kernel) {
  for (const ProfileRow& r : profile_rows())
    if (r.kernel == kernel) return r;
  return {};
}

void nothing_happens_while_it_is_off(Stream& stream) {
  const int64_t before = fake::calls("cuEventRecord");
  for (int k = 0; k < 10; ++k) launch(stream, "unwatched");
  CHECK_EQ(fake::calls("cuEventRecord"), before);
  CHECK_EQ(profile_mode.load(), 0U);
  CHECK_EQ(row("unwatched").launches, 0);
}

void events_are_read_without_waiting_and_used_again(Stream& stream) {
  start_profile();
  const int64_t made = fake::calls("cuEventCreate"), waits = fake::calls("cuEventSynchronize");
  for (int k = 0; k < 500; ++k) launch(stream, "often");
  CHECK(fake::calls("cuEventCreate") - made <= 2 * 66);
  CHECK_EQ(fake::calls("cuEventSynchronize"), waits);
  const ProfileRow r = row("often");
  CHECK_EQ(r.launches, 500);
  CHECK_EQ(r.timed, 500);
  CHECK_EQ(r.read.value_or(-1), 500 * 8);
  CHECK_EQ(r.written.value_or(-1), 500 * 4);
  CHECK(r.device_us >= 0);
}

// All stay in the list until they are done.
void a_busy_gpu_is_not_waited_for(Stream& stream) {
  const int64_t waits = fake::calls("cuEventSynchronize");
  {
    Setting busy("FAKE_CUDA_BUSY", "1");
    for (int k = 0; k < 300; ++k) launch(stream, "busy");
  }
  CHECK_EQ(fake::calls("cuEventSynchronize"), waits);
  CHECK_EQ(row("busy").timed, 300);
}

void a_captured_launch_has_no_events(Stream& stream) {
  for (int k = 0; k < 100; ++k) launch(stream, "before");
  const int64_t records = fake::calls("cuEventRecord"), queries = fake::calls("cuEventQuery");
  {
    Setting captures("FAKE_CUDA_CAPTURES", "1");
    launch(stream, "captured");
  }
  CHECK_EQ(fake::calls("cuEventRecord"), records);
  CHECK_EQ(fake::calls("cuEventQuery"), queries);
  const ProfileRow r = row("captured");
  CHECK_EQ(r.captured, 1);
  CHECK_EQ(r.launches, 0);
  CHECK_EQ(r.timed, 0);
}

void what_fails_is_no_failure_of_the_launch(Stream& stream) {
  for (const char* function :
       {"cuEventCreate", "cuEventRecord", "cuStreamIsCapturing", "cuEventQuery"}) {
    Setting fail("FAKE_CUDA_FAIL", std::string(function) + ":201");
    for (int k = 0; k < 100; ++k) launch(stream, function);
  }
  CHECK_EQ(row("cuEventCreate").launches, 100);
  CHECK_EQ(row("cuEventRecord").launches, 100);
  CHECK_EQ(row("cuEventRecord").timed, 0);
  CHECK_EQ(row("cuStreamIsCapturing").launches, 100);
  CHECK_EQ(row("cuEventQuery").launches, 100);
  for (int k = 0; k < 3; ++k) launch(stream, "unread");
  {
    Setting fail("FAKE_CUDA_FAIL", "cuEventSynchronize:201");
    CHECK_EQ(row("unread").timed, 0);
  }
  CHECK_EQ(row("unread").launches, 3);
}

void a_launch_that_throws_is_not_counted(Stream& stream) {
  CHECK_FAILS(GPUARR_ERR_DRIVER, "no luck", [&] {
    launch_noted(
        stream,
        [] {
          return LaunchLabel{"thrown", "", 0, 0};
        },
        [] { fail(GPUARR_ERR_DRIVER, "no luck"); });
  });
  CHECK_EQ(row("thrown").launches, 0);
}

}  // namespace

int main() {
  fake::require();
  Stream& stream = open_device("cuda:0").own_stream();
  nothing_happens_while_it_is_off(stream);
  events_are_read_without_waiting_and_used_again(stream);
  a_busy_gpu_is_not_waited_for(stream);
  a_captured_launch_has_no_events(stream);
  what_fails_is_no_failure_of_the_launch(stream);
  a_launch_that_throws_is_not_counted(stream);
  stop_profile();
  return check::result();
}
