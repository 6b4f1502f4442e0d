// What a team does while a call that is not its own waits for a device of its places.
#include <sched.h>

#include <exception>

#include "core/error.hpp"
#include "team/places/team.hpp"

namespace gpuarr::team {

Team::Use::Use(Team& team, bool waits) : team_(team) {
  const std::thread::id me = std::this_thread::get_id();
  for (;;) {
    std::thread::id user{};
    began_ = team_.user_.compare_exchange_strong(user, me);
    is_mine_ = began_ || user == me;
    if (is_mine_ || !waits || team.in_callback_) return;
    sched_yield();  // it only looks
  }
}

Team::Use::~Use() {
  if (began_) team_.user_ = std::thread::id{};
}

// While another thread is in a call, messages may be on their way into streams that look done.
bool Team::has_messages() {
  if (!has_messages_) return false;
  const Use use(*this, false);
  if (!use) return true;
  for (const Place& place : places_)
    for (Stream* const stream : {place.stream.get(), place.apart.get()})
      if (!stream->captures() && !stream->query()) return true;
  has_messages_ = false;
  return false;
}

// Of a wait beside the team's calls. Where another thread is in such a call, it is that thread
// which looks and ends the messages, and MPI may not let this one look at all.
void Team::look(double seconds) {
  const Use use(*this, false);
  const bool is_late = deadline_.seconds > 0 && seconds > deadline_.seconds;
  if (!use && !is_late) return;
  if (!use) fail(GPUARR_ERR_TIMEOUT, "no answer of other places within {} s", deadline_.seconds);
  if (failure_) fail_there();
  if (is_late) expire();
  if (!may_send()) return;
  try {
    look_for_failures();
    look_at_communicators();
  } catch (...) {
    tell_of(std::current_exception(), false);
    throw;
  }
}

bool Team::may_send() noexcept {
  try {
    transport_->check();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace gpuarr::team
