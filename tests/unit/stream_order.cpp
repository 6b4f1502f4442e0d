// Streams that are ordered while another thread begins to capture one of them, or forks.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "check.hpp"
#include "fake_device.hpp"

namespace {

void pause_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// Were the event recorded in a capture, the stream that waits for it would join that.
void a_capture_begins_after_the_order() {
  FakeDevice device;
  auto first = device.stream(), second = device.stream();
  for (auto* captured : {first.get(), second.get()}) {
    std::atomic<bool> begun{false};
    std::thread other;
    first->on_record = [&] {
      other = std::thread([&] {
        captured->begin_capture();
        begun = true;
      });
      pause_for(50);
      CHECK(!begun);
    };
    first->let_wait(*second);
    first->on_record = nullptr;
    other.join();
    CHECK(captured->captures() && captured->capture() != nullptr);
    CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "one of two streams is being captured",
                [&] { first->let_wait(*second); });
    captured->end_capture();
    first->let_wait(*second);
  }
  CHECK_EQ(second->waits, 4);
}

// A capture that could not begin leaves a stream as it was.
void a_capture_that_fails_is_none() {
  FakeDevice device;
  auto first = device.stream(), second = device.stream();
  first->fail_captures = true;
  CHECK_FAILS(GPUARR_ERR_DRIVER, "the capture failed", [&] { first->begin_capture(); });
  CHECK(!first->captures());
  CHECK_EQ(device.captures(), 0);
  first->let_wait(*second);
  CHECK_EQ(second->waits, 1);
}

// The child does not have the thread that orders the two, and does not wait for it.
void a_child_waits_for_no_thread_of_its_parent() {
  FakeDevice device;
  auto first = device.stream(), second = device.stream();
  std::atomic<bool> inside{false}, go{false};
  first->on_record = [&] {
    inside = true;
    while (!go) pause_for(1);
  };
  std::thread other([&] { first->let_wait(*second); });
  while (!inside) pause_for(1);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    first->on_record = nullptr;
    second->begin_capture();
    second->end_capture();
    first->let_wait(*second);
    second->begin_capture();
    _exit(second->captures() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
  go = true;
  other.join();
}

}  // namespace

int main() {
  a_capture_begins_after_the_order();
  a_capture_that_fails_is_none();
  a_child_waits_for_no_thread_of_its_parent();
  return check::result();
}
