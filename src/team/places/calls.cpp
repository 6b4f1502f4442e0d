// Collective calls of a team: how they begin, agree, and fail together.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "core/error.hpp"
#include "core/log.hpp"
#include "team/places/team.hpp"

namespace gpuarr::team {
namespace {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A look costs half a microsecond, of calls that may take five.
constexpr double seconds_between_looks = 1e-4;

// What a place says of the call that it makes.
struct Fingerprint {
  int64_t number = 0;
  uint64_t arguments = 0;
  std::array<char, 64> name{};

  bool operator==(const Fingerprint&) const = default;
};

}  // namespace

void Team::enter(const CallFacts& call) {
  if (in_callback_)
    fail(GPUARR_ERR_ARGUMENT,
         "it is collective, but a function of {} runs on this place; make it after that call",
         call_);
  progress_.told = false;
  call_ = call.name;
  if (transport_ == nullptr) return;
  transport_->check();
  ++calls_;
  if (failure_) fail_there();
  if (const double time = now(); time - looked_ > seconds_between_looks) {
    looked_ = time;
    look_for_failures();
  }
  if (compares_) compare(call);
}

void Team::tell_progress_slowly(int64_t done, int64_t total) {
  const double time = now();
  const bool ends = done == total && progress_.told;
  if (!ends && time - progress_.last < progress_.seconds) return;
  progress_.last = time;
  progress_.told = true;
  progress_.tell(call_, done, total, progress_.user);
}

void Team::compare(const CallFacts& call) {
  std::vector<Fingerprint> all(static_cast<size_t>(size_));
  Fingerprint& mine = all[static_cast<size_t>(transport_->rank())];
  mine.number = calls_;
  mine.arguments = call.arguments;
  std::strncpy(mine.name.data(), call.name, mine.name.size() - 1);
  try {
    all_gather(all.data(), sizeof(Fingerprint));
  } catch (...) {
    tell_of(std::current_exception(), false);
    throw;
  }
  for (size_t k = 0; k < all.size(); ++k) {
    if (all[k] == mine) continue;
    const bool same_name = all[k].name == mine.name;
    fail(GPUARR_ERR_MISMATCH,
         "call {} of the team is {} on place {}, but {}{} on place {}; all places must make the "
         "same calls in the same order",
         calls_, call.name, transport_->rank(), all[k].name.data(),
         same_name ? " with other arguments" : "", k);
  }
}

// What a call failed with here: the other places are told, unless it came from one of them, and
// work that waits for messages is ended. Of a process that is gone it is said why, if it did.
void Team::tell_of(const std::exception_ptr& error, bool alike) {
  if (transport_ == nullptr || failure_ || std::exchange(all_failed_, false)) return;
  const int place = transport_->rank();
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    if (alike && e.status() / 100 == 1) return;
    if (e.status() == GPUARR_ERR_PEER && has_heard_of_failure()) fail_there();
    give_up(Failure::of(e.status(), place, calls_, call_, e.message()));
  } catch (const std::bad_alloc&) {
    give_up(Failure::of(GPUARR_ERR_OUT_OF_MEMORY, place, calls_, call_, "no memory left"));
  } catch (const std::exception& e) {
    give_up(Failure::of(GPUARR_ERR_INTERNAL, place, calls_, call_, e.what()));
  } catch (...) {
    give_up(Failure::of(GPUARR_ERR_INTERNAL, place, calls_, call_, "an unknown exception"));
    throw;
  }
}

void Team::give_up(const Failure& failure) noexcept {
  failure_ = failure;
  const bool mine = failure.place == transport_->rank();
  for (int process = 0; mine && process < transport_->size(); ++process) {
    if (process == transport_->rank()) continue;
    try {
      auto memory = std::make_shared<Failure>(failure);
      Request sent = transport_->send(memory.get(), sizeof(Failure), process, failure_tag);
      if (!transport_->test(sent)) transport_->drop(sent, memory);
    } catch (const std::exception& e) {
      log(Topic::library, "place {} is not told of a failure: {}", process, e.what());
    }
  }
  for (Place& place : places_)
    if (place.communicator != nullptr) place.communicator->abort();
}

void Team::fail_there() const { fail(GPUARR_ERR_PEER, "{}", failure_->text()); }

void Team::look_for_failures() {
  int from = 0;
  if (!transport_->probe(failure_tag, from)) return;
  Failure failure;
  Request request = transport_->receive(&failure, sizeof(failure), from, failure_tag);
  while (!transport_->test(request)) continue;  // it is here already
  failure.name.back() = failure.cause.back() = '\0';
  give_up(failure);
  fail_there();
}

void Team::look_at_communicators() {
  for (Place& place : places_)
    if (place.communicator != nullptr) place.communicator->check();
}

// What is looked for may be found, and then fails, or the transport does.
bool Team::has_heard_of_failure() noexcept {
  try {
    look_for_failures();
  } catch (const Error& e) {
    log(Topic::library, "of a place that is gone: {}", e.what());
  }
  return failure_.has_value();
}

void Team::expire() {
  const Failure failure =
      Failure::of(GPUARR_ERR_TIMEOUT, transport_->rank(), calls_, call_,
                  formatted("no answer within {} s; another place is gone, or makes other calls",
                            deadline_.seconds));
  if (deadline_.aborts) {
    std::fprintf(stderr, "gpuarr: %s; ending all processes\n", failure.text().c_str());
    transport_->abort(1);
  }
  give_up(failure);
  fail(GPUARR_ERR_TIMEOUT, "{}", failure.cause.data());
}

Team::Watch::Watch(Team& team) : team_(team), begin_(now()) {}

// Messages of this machine are there within a microsecond or two; who waits longer lets others run.
void Team::Watch::pause() {
  constexpr double busy = 50e-6;
  ++turns_;
  if (!yields_ && turns_ % 64 != 0) return;
  yields_ = yields_ || now() - begin_ > busy;
  if (yields_) sched_yield();
  if (team_.transport_ == nullptr) return;
  team_.look_for_failures();
  team_.look_at_communicators();
  const double limit = team_.deadline_.seconds;
  if (limit > 0 && now() - begin_ > limit) team_.expire();
}

void Team::wait_for(Stream& stream) {
  if (!devices_send()) return stream.synchronize();
  wait_until([&] { return stream.query(); });
  stream.synchronize();  // has the errors of its work
}

void Team::wait_for(Request& request, const std::shared_ptr<void>& memory) {
  try {
    wait_until([&] { return transport_->test(request); });
  } catch (...) {
    transport_->drop(request, memory);
    throw;
  }
}

void Team::exchange(const void* data, int to, void* out, int from, int64_t bytes,
                    const std::shared_ptr<void>& memory) {
  Request received, sent;
  try {
    received = transport_->receive(out, bytes, from, control_tag);
    sent = transport_->send(data, bytes, to, control_tag);
    wait_until([&] {
      const bool is_here = received.handle == nullptr || transport_->test(received);
      return (sent.handle == nullptr || transport_->test(sent)) && is_here;
    });
  } catch (...) {
    transport_->drop(received, memory);
    transport_->drop(sent, memory);
    throw;
  }
}

// Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing
// systems", 1997: after each round a process has the parts of twice as many that follow it.
void Team::all_gather(void* all, int64_t bytes) {
  if (transport_ == nullptr || size_ == 1) return;
  const int n = transport_->size();
  const int me = transport_->rank();
  const auto part = static_cast<size_t>(bytes);
  auto* const out = static_cast<std::byte*>(all);
  auto parts = std::make_shared<std::vector<std::byte>>(part * static_cast<size_t>(n));
  const auto at = [&](int k) { return parts->data() + part * static_cast<size_t>(k); };
  std::memcpy(at(0), out + part * static_cast<size_t>(me), part);
  for (int have = 1; have < n; have *= 2) {
    const int count = std::min(have, n - have);
    exchange(at(0), (me - have + n) % n, at(have), (me + have) % n, bytes * count, parts);
  }
  for (int k = 0; k < n; ++k)
    std::memcpy(out + part * static_cast<size_t>((me + k) % n), at(k), part);
}

void Team::agree() {
  if (transport_ == nullptr || size_ == 1) return;
  const int n = transport_->size();
  const int me = transport_->rank();
  static char nothing = 0;
  for (int step = 1; step < n; step *= 2)
    exchange(&nothing, (me - step + n) % n, &nothing, (me + step) % n, 0, nullptr);
}

void Team::agree_or_fail(const std::exception_ptr& failure) {
  if (transport_ != nullptr) {
    std::vector<char> failed(static_cast<size_t>(size_), 0);
    failed[static_cast<size_t>(transport_->rank())] = failure ? 1 : 0;
    all_gather(failed.data(), 1);
    all_failed_ = std::ranges::count(failed, 1) == size_;
  }
  if (failure) std::rethrow_exception(failure);
}

void Team::synchronize() {
  for (Place& place : places_) {
    if (place.apart != nullptr) wait_for(*place.apart);
    wait_for(*place.stream);
  }
  agree();
}

}  // namespace gpuarr::team
