#include "device/stream.hpp"

#include <vector>

#include "core/error.hpp"
#include "core/per_thread.hpp"
#include "device/device.hpp"
#include "device/reports.hpp"

namespace gpuarr {
namespace {

std::atomic<uint64_t> next_stream_id{1};

using Streams = std::vector<std::shared_ptr<Stream>>;  // by Device::index()

Streams& current_streams() { return PerThread<Streams>::get(); }

void check_timed(const Event& event, const char* which) {
  if (!event.timed())
    fail(GPUARR_ERR_ARGUMENT,
         "{} was made with GPUARR_EVENT_NO_TIMING, so it records no time; create it with flags 0",
         which);
}

}  // namespace

Stream::Stream(Device& device, int priority)
    : device_(device), priority_(priority), id_(next_stream_id++) {}

Stream::~Stream() { drop_report(device_, reports.load()); }

std::shared_ptr<Stream> Stream::for_user() {
  add_user();
  return {this, [keep = shared_from_this()](Stream* stream) { stream->drop_user(); }};
}

void Stream::let_wait(Stream& other) {
  if (&other == this) return;
  const Ordering ordering(*this, other);
  auto event = device_.create_event(false);
  record(*event);
  other.wait(*event);
}

double time_between(Event& start, Event& end) {
  if (&start.device() != &end.device())
    fail(GPUARR_ERR_DEVICE, "start is of device {} and end of {}; give events of one device",
         start.device().facts().name, end.device().facts().name);
  check_timed(start, "start");
  check_timed(end, "end");
  return end.microseconds_since(start);
}

std::shared_ptr<Stream> hold_current_stream(Device& device) {
  auto index = static_cast<size_t>(device.index());
  if (index >= current_streams().size() || !current_streams()[index])
    set_current_stream(device, device.own_stream().shared_from_this());
  return current_streams()[index];
}

Stream& current_stream(Device& device) {
  auto index = static_cast<size_t>(device.index());
  const Streams& current = current_streams();
  if (index < current.size() && current[index]) return *current[index];
  return *hold_current_stream(device);
}

void set_current_stream(Device& device, std::shared_ptr<Stream> stream) {
  auto index = static_cast<size_t>(device.index());
  Streams& current = current_streams();
  if (current.size() <= index) current.resize(index + 1);
  current[index].swap(stream);  // dropping the old one may come back here
}

}  // namespace gpuarr
