// gpuarr/transport.h: check, convert, call.
#include "gpuarr/transport.h"

#include "c/guard.hpp"
#include "c/team_handles.hpp"
#include "core/text_limits.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_transport_create(gpuarr_transport** out, int32_t rank, int32_t size,
                                      gpuarr_send_fn send, gpuarr_receive_fn receive,
                                      gpuarr_test_fn test, void* user) {
  return guard_output(__func__, out, [&] {
    return gpuarr_transport::make(
        std::make_shared<team::TransportTable>(rank, size, send, receive, test, user));
  });
}

gpuarr_transport* gpuarr_transport_retain(gpuarr_transport* transport) { return retain(transport); }

void gpuarr_transport_release(gpuarr_transport* transport) { release(transport); }

gpuarr_status gpuarr_transport_set_probe(gpuarr_transport* transport, gpuarr_probe_fn probe) {
  return guard(__func__, [&] { deref(transport, "transport")->probe = probe; });
}

gpuarr_status gpuarr_transport_set_abort(gpuarr_transport* transport, gpuarr_abort_fn abort) {
  return guard(__func__, [&] { deref(transport, "transport")->abort = abort; });
}

gpuarr_status gpuarr_transport_set_release(gpuarr_transport* transport, gpuarr_release_fn release) {
  return guard(__func__, [&] { deref(transport, "transport")->release = release; });
}

gpuarr_status gpuarr_transport_set_name(gpuarr_transport* transport, const char* name) {
  return guard(__func__, [&] {
    auto& table = deref(transport, "transport");
    if (name == nullptr) fail(GPUARR_ERR_ARGUMENT, "name is NULL; give text");
    check_text_size(std::strlen(name), "name");
    table->name = name;
  });
}
