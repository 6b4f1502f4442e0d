// gpuarr/stream.h: check, convert, call.
#include "gpuarr/stream.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "device/reports.hpp"

using namespace gpuarr;

namespace {

// Whether the one flag that there is was given.
bool has_flag(int32_t flags, int32_t flag, const char* name) {
  if (flags != 0 && flags != flag)
    fail(GPUARR_ERR_ARGUMENT, "flags is {}; give 0 or {} ({})", flags, name, flag);
  return flags != 0;
}

}  // namespace

gpuarr_status gpuarr_stream_create(gpuarr_stream** out, gpuarr_device* device, int32_t priority,
                                   int32_t flags) {
  return guard_output(__func__, out, [&] {
    Device& target = deref(device, "device");
    bool blocking = has_flag(flags, GPUARR_STREAM_BLOCKING, "GPUARR_STREAM_BLOCKING");
    return gpuarr_stream::make(target.create_stream(priority, blocking)->for_user());
  });
}

gpuarr_status gpuarr_stream_borrow(gpuarr_stream** out, gpuarr_device* device, void* native) {
  return guard_output(__func__, out, [&] {
    return gpuarr_stream::make(deref(device, "device").borrow_stream(native));
  });
}

gpuarr_stream* gpuarr_stream_retain(gpuarr_stream* stream) { return retain(stream); }

void gpuarr_stream_release(gpuarr_stream* stream) { release(stream); }

gpuarr_status gpuarr_stream_current(gpuarr_stream** out, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    return gpuarr_stream::make(hold_current_stream(deref(device, "device")));
  });
}

gpuarr_status gpuarr_stream_set_current(gpuarr_device* device, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Device& target = deref(device, "device");
    if (stream != nullptr) stream_of(stream, target);  // checks the device
    set_current_stream(target, stream != nullptr ? deref(stream, "stream") : nullptr);
  });
}

gpuarr_device* gpuarr_stream_device(const gpuarr_stream* stream) {
  return is_live(stream) ? handle_of(stream->impl->device()) : nullptr;
}

int32_t gpuarr_stream_priority(const gpuarr_stream* stream) {
  return is_live(stream) ? stream->impl->priority() : 0;
}

void* gpuarr_stream_native(const gpuarr_stream* stream) {
  return is_live(stream) ? stream->impl->native() : nullptr;
}

gpuarr_status gpuarr_stream_synchronize(gpuarr_stream* stream) {
  return guard(__func__, [&] { wait_for(*deref(stream, "stream")); });
}

gpuarr_status gpuarr_stream_query(int32_t* out_done, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    int32_t& done = output(out_done, "out_done");
    done = deref(stream, "stream")->query() ? 1 : 0;
  });
}

gpuarr_status gpuarr_stream_wait(gpuarr_stream* stream, gpuarr_event* event) {
  return guard(__func__, [&] { deref(stream, "stream")->wait(*deref(event, "event")); });
}

gpuarr_status gpuarr_stream_host_function(gpuarr_stream* stream, gpuarr_host_function function,
                                          void* user) {
  return guard(__func__, [&] {
    Stream& target = *deref(stream, "stream");
    if (function == nullptr) fail(GPUARR_ERR_ARGUMENT, "function is NULL; give one to call");
    target.call(function, user);
  });
}

gpuarr_status gpuarr_event_create(gpuarr_event** out, gpuarr_device* device, int32_t flags) {
  return guard_output(__func__, out, [&] {
    Device& target = deref(device, "device");
    bool untimed = has_flag(flags, GPUARR_EVENT_NO_TIMING, "GPUARR_EVENT_NO_TIMING");
    return gpuarr_event::make(target.create_event(!untimed));
  });
}

gpuarr_event* gpuarr_event_retain(gpuarr_event* event) { return retain(event); }

void gpuarr_event_release(gpuarr_event* event) { release(event); }

gpuarr_device* gpuarr_event_device(const gpuarr_event* event) {
  return is_live(event) ? handle_of(event->impl->device()) : nullptr;
}

void* gpuarr_event_native(const gpuarr_event* event) {
  return is_live(event) ? event->impl->native() : nullptr;
}

gpuarr_status gpuarr_event_record(gpuarr_event* event, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Event& point = *deref(event, "event");
    stream_of(stream, point.device()).record(point);
  });
}

gpuarr_status gpuarr_event_synchronize(gpuarr_event* event) {
  return guard(__func__, [&] { wait_for(*deref(event, "event")); });
}

gpuarr_status gpuarr_event_query(int32_t* out_done, gpuarr_event* event) {
  return guard(__func__, [&] {
    int32_t& done = output(out_done, "out_done");
    done = deref(event, "event")->query() ? 1 : 0;
  });
}

gpuarr_status gpuarr_event_elapsed(double* out_microseconds, gpuarr_event* start,
                                   gpuarr_event* end) {
  return guard(__func__, [&] {
    double& microseconds = output(out_microseconds, "out_microseconds");
    microseconds = time_between(*deref(start, "start"), *deref(end, "end"));
  });
}
