// Streams of the CPU device with a thread each: order within and between them, errors, release.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "check.hpp"
#include "host/backend.hpp"
#include "host/threads/stream.hpp"

using namespace gpuarr;

namespace {

using host::HostStream;

void pause_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

HostStream& as_host(const std::shared_ptr<Stream>& stream) {
  return static_cast<HostStream&>(*stream);
}

void test_order_in_a_stream(Device& device) {
  auto stream = device.create_stream(0);
  CHECK(!as_host(stream).eager());
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i)
    as_host(stream).submit("work", [&seen, i] {
      if (i % 10 == 0) pause_for(1);
      seen.push_back(i);
    });
  stream->synchronize();
  CHECK_EQ(seen.size(), 100U);
  for (size_t i = 0; i < seen.size(); ++i) CHECK_EQ(seen[i], static_cast<int>(i));
}

void test_events_between_streams(Device& device) {
  auto producer = device.create_stream(0), consumer = device.create_stream(0);
  auto event = device.create_event();
  int value = 0, copy = 0;  // not atomic: the event is what orders them
  for (int round = 1; round <= 20; ++round) {
    as_host(producer).submit("work", [&value, round] {
      pause_for(1);
      value = round;
    });
    producer->record(*event);
    consumer->wait(*event);
    as_host(consumer).submit("work", [&] { copy = value; });
    consumer->record(*event);
    producer->wait(*event);
    consumer->synchronize();
    CHECK_EQ(copy, round);
  }
}

void test_event_states(Device& device) {
  auto stream = device.create_stream(0);
  auto start = device.create_event(), end = device.create_event();
  stream->record(*start);
  std::atomic<bool> go{false};
  as_host(stream).submit("work", [&go] {
    while (!go) pause_for(1);
  });
  stream->record(*end);
  CHECK(!end->query());
  CHECK(!stream->query());
  start->synchronize();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "end is not reached", [&] { end->microseconds_since(*start); });
  // What was waited for is the record at that time, not a later one.
  auto other = device.create_stream(0);
  other->wait(*end);
  std::atomic<bool> passed{false};
  as_host(other).submit("work", [&passed] { passed = true; });
  auto third = device.create_stream(0);
  third->record(*end);
  end->synchronize();
  CHECK(!passed);
  pause_for(10);
  go = true;
  other->synchronize();
  CHECK(passed);
  stream->record(*end);
  end->synchronize();
  CHECK(end->query());
  CHECK(end->microseconds_since(*start) >= 10);
  CHECK(start->microseconds_since(*end) <= -10);
}

void test_errors_wait_for_synchronize(Device& device) {
  auto stream = device.create_stream(0);
  bool later = false;
  as_host(stream).submit("work", [] { fail(GPUARR_ERR_INTERNAL, "first of {}", 2); });
  as_host(stream).submit("work", [] { fail(GPUARR_ERR_INTERNAL, "second"); });
  as_host(stream).submit("work", [&later] { later = true; });
  CHECK_FAILS(GPUARR_ERR_INTERNAL, "first of 2", [&] { stream->synchronize(); });
  CHECK(later);
  stream->synchronize();  // told once
  as_host(stream).submit("work", [] { fail(GPUARR_ERR_INTERNAL, "third"); });
  CHECK_FAILS(GPUARR_ERR_INTERNAL, "third", [&] { device.synchronize(); });
}

void test_release_does_the_work(Device& device) {
  std::atomic<int> done{0};
  {
    auto stream = device.create_stream(0);
    for (int i = 0; i < 10; ++i)
      as_host(stream).submit("work", [&done] {
        pause_for(1);
        ++done;
      });
  }
  CHECK_EQ(done.load(), 10);
  auto event = device.create_event();
  auto stream = device.create_stream(0);
  stream->record(*event);
  event.reset();  // before it is reached
  stream->synchronize();
}

// The child has no thread for the stream: it works at once, and waits for nothing of the parent's.
void test_fork(Device& device) {
  auto stream = device.create_stream(0);
  auto event = device.create_event();
  std::atomic<bool> go{false};
  as_host(stream).submit("work", [&go] {
    while (!go) pause_for(1);
  });
  stream->record(*event);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    int value = 0;
    stream->wait(*event);
    as_host(stream).submit("work", [&value] { value = 3; });
    const bool good = value == 3 && event->query() && stream->query();
    event->synchronize();
    stream->synchronize();
    device.synchronize();
    stream.reset();
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
  go = true;
  stream->synchronize();
}

struct Parameters {
  int* sum;
  int step;
};

void test_parameters_are_read_at_once(Device& device) {
  auto module = device.load(device.compile({"add",
                                            R"(
struct P { int* sum; int step; };
extern "C" void add(const P* p, long long first, long long last) {
  for (long long i = first; i < last; ++i) __atomic_fetch_add(p->sum, p->step, __ATOMIC_RELAXED);
})",
                                            {}}));
  auto function = module->function("add");
  module.reset();
  auto stream = device.create_stream(0);
  int sum = 0;
  std::atomic<bool> go{false};
  as_host(stream).submit("work", [&go] {
    while (!go) pause_for(1);
  });
  for (int i = 1; i <= 10; ++i) {
    Parameters parameters{&sum, i};
    function->launch({100, 1, 0}, &parameters, sizeof parameters, *stream);
    parameters = {nullptr, 0};
  }
  function.reset();
  go = true;
  stream->synchronize();
  CHECK_EQ(sum, 5500);
}

void test_transfers_are_in_order(Device& device) {
  auto stream = device.create_stream(0);
  std::vector<int> device_memory(1000), out(1000);
  {
    std::vector<int> in(1000, 7);
    as_host(stream).submit("work", [] { pause_for(5); });
    device.copy_from_host(device_memory.data(), in.data(), 4000, *stream);
    device.copy_to_host(out.data(), device_memory.data(), 4000, *stream);
    CHECK_EQ(out[999], 0);
    stream->synchronize();
  }
  CHECK_EQ(out[999], 7);
  Builtin fill;
  fill.kind = Builtin::Kind::fill;
  fill.shape = {1000};
  fill.target_dtype = DType::i32;
  fill.target = device_memory.data();
  fill.target_strides = {1};
  fill.value[0] = 9;
  CHECK(device.run(fill, *stream));
  fill.value[0] = 1;
  device.copy_to_host(out.data(), device_memory.data(), 4000, *stream);
  stream->synchronize();
  CHECK_EQ(out[0] + out[999], 18);
}

}  // namespace

int main() {
  setenv("GPUARR_HOST_ASYNC", "1", 1);
  setenv("GPUARR_NUM_THREADS", "3", 1);
  Device& device = host::open_device(0);
  test_order_in_a_stream(device);
  test_events_between_streams(device);
  test_event_states(device);
  test_errors_wait_for_synchronize(device);
  test_release_does_the_work(device);
  test_parameters_are_read_at_once(device);
  test_transfers_are_in_order(device);
  test_fork(device);
  return check::result();
}
