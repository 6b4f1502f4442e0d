// gpuarr/team.h: check, convert, call.
#include "gpuarr/team.h"

#include "backends.hpp"
#include "c/guard.hpp"
#include "c/raw_arguments.hpp"
#include "c/team_handles.hpp"
#include "core/settings.hpp"
#include "gpuarr/device.h"
#include "team/transport/mpi.hpp"
#include "team/transport/world.hpp"

using namespace gpuarr;
using team::Team;

namespace {

constexpr int32_t most_places = 65536;

std::vector<Device*> devices_of(gpuarr_device* const* devices, int32_t count) {
  const int gpus = devices == nullptr ? device_count(GPUARR_DEVICE_CUDA) : 0;
  if (devices == nullptr && count == 0) count = std::max(gpus, 1);
  if (count < 1 || count > most_places)
    fail(GPUARR_ERR_ARGUMENT, "count is {}; give a number of places from 1 to {}", count,
         most_places);
  std::vector<Device*> out;
  out.reserve(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k)
    out.push_back(devices != nullptr ? &deref_item(devices[k], "devices", k)
                  : count <= gpus    ? &open_device(GPUARR_DEVICE_CUDA, k)
                                     : &host_device());
  return out;
}

Device* device_or_null(gpuarr_device* device) {
  return device != nullptr ? &deref(device, "device") : nullptr;
}

gpuarr_team* team_of(std::unique_ptr<team::Transport> transport, Device* given) {
  if (transport != nullptr) return gpuarr_team::make(Team::of(std::move(transport), given));
  Device* const one = given != nullptr ? given : &open_device(nullptr);
  return gpuarr_team::make(Team::local({&one, 1}));
}

team::Place& place_of(Team& team, int32_t place) {
  if (place < 0 || place >= team.size() || !team.is_local(place))
    fail(GPUARR_ERR_ARGUMENT, "place is {}, but the places of this process are {} to {}", place,
         team.first(), team.first() + static_cast<int>(team.places().size()) - 1);
  return team.local(place);
}

team::Deadline deadline_of(double seconds, int32_t action) {
  if (!is_time_limit(seconds))
    fail(GPUARR_ERR_ARGUMENT, "seconds is {}; give 0 for no limit, up to a year", seconds);
  if (action != GPUARR_TIMEOUT_ABORT && action != GPUARR_TIMEOUT_RETURN)
    fail(GPUARR_ERR_ARGUMENT, "action is {}; give GPUARR_TIMEOUT_ABORT or GPUARR_TIMEOUT_RETURN",
         action);
  return {seconds, action == GPUARR_TIMEOUT_ABORT};
}

// Null if it is none of this process.
const team::Place* find_local(Team& team, int32_t place) {
  return place >= 0 && place < team.size() && team.is_local(place) ? &team.local(place) : nullptr;
}

}  // namespace

gpuarr_status gpuarr_team_local(gpuarr_team** out, gpuarr_device* const* devices, int32_t count) {
  return guard_output(__func__, out,
                      [&] { return gpuarr_team::make(Team::local(devices_of(devices, count))); });
}

gpuarr_status gpuarr_team_world(gpuarr_team** out, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    Device* const given = device_or_null(device);
    return team_of(team::world_transport(), given);
  });
}

gpuarr_status gpuarr_team_from_mpi(gpuarr_team** out, const void* comm, int64_t bytes,
                                   gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    if (comm == nullptr) fail(GPUARR_ERR_ARGUMENT, "comm is NULL; give the address of an MPI_Comm");
    Device* const given = device_or_null(device);
    return team_of(team::mpi_transport(comm, static_cast<size_t>(bytes)), given);
  });
}

gpuarr_status gpuarr_team_from_mpi_f(gpuarr_team** out, int32_t comm, gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    Device* const given = device_or_null(device);
    return team_of(team::mpi_transport_of_fortran(comm), given);
  });
}

gpuarr_status gpuarr_team_from_transport(gpuarr_team** out, gpuarr_transport* transport,
                                         gpuarr_device* device) {
  return guard_output(__func__, out, [&] {
    Device* const given = device_or_null(device);
    return team_of(team::table_transport(deref(transport, "transport")), given);
  });
}

gpuarr_team* gpuarr_team_retain(gpuarr_team* team) { return retain(team); }

void gpuarr_team_release(gpuarr_team* team) { release(team); }

int32_t gpuarr_team_size(const gpuarr_team* team) { return is_live(team) ? team->impl->size() : 0; }

int32_t gpuarr_team_first(const gpuarr_team* team) {
  return is_live(team) ? team->impl->first() : -1;
}

int32_t gpuarr_team_local_count(const gpuarr_team* team) {
  return is_live(team) ? static_cast<int32_t>(team->impl->places().size()) : 0;
}

gpuarr_device* gpuarr_team_device(const gpuarr_team* team, int32_t place) {
  const team::Place* found = is_live(team) ? find_local(*team->impl, place) : nullptr;
  return found != nullptr ? handle_of(*found->device) : nullptr;
}

gpuarr_status gpuarr_team_stream(gpuarr_stream** out, gpuarr_team* team, int32_t place) {
  return guard_output(__func__, out, [&] {
    return gpuarr_stream::make(place_of(*deref(team, "team"), place).stream->for_user());
  });
}

gpuarr_status gpuarr_team_describe(const char** out, gpuarr_team* team) {
  return guard_output(__func__, out, [&] {
    return keep_text<struct TeamDescription>(deref(team, "team")->describe());
  });
}

gpuarr_status gpuarr_team_set_timeout(gpuarr_team* team, double seconds, int32_t action) {
  return guard(__func__, [&] { deref(team, "team")->set_deadline(deadline_of(seconds, action)); });
}

gpuarr_status gpuarr_team_set_progress(gpuarr_team* team, gpuarr_progress_fn function, void* user,
                                       double seconds) {
  return guard(__func__, [&] {
    if (!is_time_limit(seconds))
      fail(GPUARR_ERR_ARGUMENT, "seconds is {}; give a time from 0 to a year", seconds);
    deref(team, "team")->set_progress({function, user, seconds});
  });
}

gpuarr_status gpuarr_team_synchronize(gpuarr_team* team) {
  return guard(__func__, [&] {
    Team& t = *deref(team, "team");
    collective(t, "gpuarr_team_synchronize", 0, [&] { t.synchronize(); });
  });
}

gpuarr_status gpuarr_team_profile(const char** out, gpuarr_team* team) {
  return guard_output(__func__, out, [&] {
    Team& t = *deref(team, "team");
    std::string text;
    collective(t, "gpuarr_team_profile", 0, [&] { text = t.profile(); });
    return keep_text<struct TeamProfile>(std::move(text));
  });
}

void* gpuarr_team_nccl(const gpuarr_team* team, int32_t place) {
  const team::Place* found = is_live(team) ? find_local(*team->impl, place) : nullptr;
  return found != nullptr && found->communicator != nullptr ? found->communicator->native()
                                                            : nullptr;
}

int32_t gpuarr_team_mpi_f(const gpuarr_team* team) {
  team::Transport* const transport = is_live(team) ? team->impl->transport() : nullptr;
  return transport != nullptr ? transport->fortran_handle() : -1;
}
