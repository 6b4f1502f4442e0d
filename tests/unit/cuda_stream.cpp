// Tests of a GPU's streams and events, on the stand-in for the driver.
#include "backends.hpp"
#include "cuda/backend.hpp"
#include "cuda/device/stream.hpp"
#include "cuda_fake.hpp"
#include "device/pool.hpp"
#include "kernel/launch/workspace.hpp"
#include "ops/base/transfer.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

uint32_t flags(const Stream& stream) {
  return fake::hook<fake_cuda_stream_flags_fn>("fake_cuda_stream_flags")(stream.native());
}

void kinds_of_streams(Device& device) {
  CHECK_EQ(flags(device.own_stream()), CU_STREAM_DEFAULT + 0U);
  auto stream = device.create_stream(0);
  CHECK_EQ(flags(*stream), CU_STREAM_NON_BLOCKING + 0U);
  CHECK_EQ(flags(*device.create_stream(0, true)), CU_STREAM_DEFAULT + 0U);
  CHECK_EQ(device.create_stream(99)->priority(), 0);
  CHECK_EQ(device.create_stream(-99)->priority(), -5);
  CHECK_EQ(device.create_stream(-3)->priority(), -3);
}

void readiness(Device& device) {
  auto stream = device.create_stream(0);
  auto event = device.create_event();
  CHECK(stream->query());
  stream->record(*event);
  Setting set("FAKE_CUDA_BUSY", "1");
  CHECK(!stream->query());
  CHECK(!event->query());
  auto end = device.create_event();
  CHECK(end->query());  // never recorded
  stream->record(*end);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "not reached yet", [&] { end->microseconds_since(*event); });
}

void errors(Device& device) {
  auto stream = device.create_stream(0);
  auto event = device.create_event();
  stream->record(*event);
  auto check = [&](const char* function, auto&& body) {
    Setting set("FAKE_CUDA_FAIL", std::string(function) + ":201");
    std::string message = std::string(function) + " failed: CUDA_ERROR_INVALID_CONTEXT";
    CHECK_FAILS(GPUARR_ERR_DRIVER, message.c_str(), body);
  };
  check("cuStreamCreateWithPriority", [&] { device.create_stream(0); });
  check("cuEventCreate", [&] { device.create_event(); });
  check("cuStreamSynchronize", [&] { stream->synchronize(); });
  check("cuStreamQuery", [&] { stream->query(); });
  check("cuEventRecord", [&] { stream->record(*event); });
  check("cuStreamIsCapturing", [&] { stream->is_capturing(); });
  check("cuStreamWaitEvent", [&] { stream->wait(*event); });
  check("cuEventSynchronize", [&] { event->synchronize(); });
  check("cuEventQuery", [&] { event->query(); });
  check("cuEventElapsedTime", [&] { event->microseconds_since(*event); });
  check("cuCtxGetCurrent", [&] { stream->synchronize(); });
}

// Waiting works between GPUs, and for a device that is none.
void waits(Device& device, Device& other) {
  auto here = device.create_stream(0);
  auto there = other.create_stream(0);
  auto event = other.create_event();
  int64_t records = fake::calls("cuEventRecord");
  there->record(*event);
  int64_t calls = fake::calls("cuStreamWaitEvent");
  here->wait(*event);
  CHECK_EQ(fake::calls("cuStreamWaitEvent"), calls + 1);
  there->let_wait(*here);
  calls = fake::calls("cuEventCreate");
  there->let_wait(*here);
  there->let_wait(*there);
  here->let_wait(current_stream(host_device()));
  CHECK_EQ(fake::calls("cuEventCreate"), calls + 1);  // one for each stream, for all times
  CHECK_EQ(fake::calls("cuEventRecord"), records + 4);
}

// Launches whose blocks meet in memory are refused; others are not even asked about.
void captures(Device& device) {
  auto stream = device.create_stream(0);
  CHECK(!stream->is_capturing());
  ReductionGeometry shared;
  shared.partials = 100;
  shared.counters = 3;
  Setting set("FAKE_CUDA_CAPTURES", "1");
  CHECK(stream->is_capturing());
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED,
              "captured with the driver's own functions, but blocks share a result and meet in "
              "memory that such a graph cannot keep; capture with gpuarr_stream_begin_capture",
              [&] { WorkspaceLease lease(shared, 64, *stream); });
  CHECK_EQ(device.pool().statistics().blocks, 0);
  int64_t calls = fake::calls("cuStreamIsCapturing");
  CHECK(WorkspaceLease({}, 64, *stream).get().partials == nullptr);
  CHECK_EQ(fake::calls("cuStreamIsCapturing"), calls);
}

// A copy between GPUs waits on neither side, and each side's memory is kept for as long as it
// needs.
void copies_go_on(Device& device, Device& other) {
  auto here = device.create_stream(0);
  auto reader = device.create_stream(0);
  auto there = other.create_stream(0);
  Array source = Array::empty(*here, DType::f32, {1000});
  source.buffer->used_in(*reader);
  auto settled = [] {
    return fake::calls("cuStreamSynchronize") + fake::calls("cuCtxSynchronize") +
           fake::calls("cuEventSynchronize");
  };
  int64_t before = settled();
  int64_t waits = fake::calls("cuStreamWaitEvent");
  Array copy = to_device(source, *there);
  CHECK_EQ(settled(), before);
  CHECK_EQ(fake::calls("cuStreamWaitEvent"), waits + 3);  // for here, reader and the current one
  source.buffer.reset();
  CHECK_EQ(fake::calls("cuStreamWaitEvent"), waits + 5);  // here for reader and there
  Array borrowed = copy;
  borrowed.buffer = Buffer::borrow(copy.data, 4000, other);
  to_device(borrowed, *here);
  CHECK_EQ(settled(), before + 1);  // whoever owns it may take it back now
}

void elapsed(Device& device) {
  auto stream = device.create_stream(0);
  auto start = device.create_event();
  auto end = device.create_event();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "never recorded", [&] { end->microseconds_since(*start); });
  stream->record(*start);
  stream->record(*end);
  double time = end->microseconds_since(*start);
  CHECK(time >= 0 && time < 1e6);
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  kinds_of_streams(device);
  readiness(device);
  errors(device);
  waits(device, other);
  copies_go_on(device, other);
  elapsed(device);
  captures(device);
  device.pool().trim();
  other.pool().trim();
  CHECK_EQ(fake::live(), 4);  // the devices' own streams, each with an event
  return check::result();
}
