// The members of one of NCCL's communicators that this process has.
#include "cuda/libraries/local_members.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "device/allocator.hpp"

namespace gpuarr::cuda {
namespace {

// From 2.22 on ncclCommAbort within a group only says that all is to end; what it frees, it frees
// at the group's end. A call that waits in another thread can then be waited for in between.
constexpr int aborts_in_groups = 22200;
constexpr size_t most_known = 4096;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 32);
}

// Which members it connects, and how: NCCL decides by the size, except where two send.
uint64_t fingerprint(const std::vector<Message>& messages) {
  uint64_t hash = messages.size();
  for (const Message& m : messages) {
    const bool of_two = m.kind == Message::Kind::send || m.kind == Message::Kind::receive;
    for (const uint64_t value :
         {static_cast<uint64_t>(m.kind), uint64_t{m.member}, of_two ? 0 : uint64_t{m.count},
          static_cast<uint64_t>(m.type), static_cast<uint64_t>(m.other)})
      hash = mixed(hash, value);
  }
  return hash;
}

}  // namespace

LocalMembers::LocalMembers(const CommunicatorId& id, int size,
                           std::span<const CommunicatorMember> members, const Patience& patience)
    : api_(nccl()), size_(size), blocking_(api_.version >= aborts_in_groups) {
  for (const CommunicatorMember& member : members)
    members_.push_back({static_cast<CudaDevice*>(member.device), member.rank});
  make_room();
  perform(Meeting::first, patience, [&] { begin_all(id); });
}

LocalMembers::~LocalMembers() { abort(Error(GPUARR_ERR_INTERNAL, "")); }

// To connect members NCCL asks the driver for memory, which the pools may have. There may be enough
// without theirs, which cannot be had while something is captured. It waits for the device, and so
// maybe for other members.
void LocalMembers::make_room() {
  constexpr int64_t plenty = int64_t{1} << 30;
  may_end_ = true;
  for (const Member& member : members_) try {
      if (member.device->memory().free < plenty) trim_all(*member.device);
    } catch (const Error& error) {
      if (error.status() != GPUARR_ERR_UNSUPPORTED) throw;
    }
  may_end_ = false;
}

void LocalMembers::begin_all(const CommunicatorId& id) {
  Nccl::Id same{};
  std::memcpy(same.bytes, id.data(), sizeof same.bytes);
  Nccl::Config config;
  config.blocking = blocking_ ? 1 : 0;
  for (Member& member : members_) {
    member.device->enter();
    api_.init.succeeds_unless(Nccl::in_progress, &member.handle, size_, same, member.rank, &config);
  }
}

void LocalMembers::begin_group() {
  messages_.clear();  // of one that an error left open
  in_group_ = true;
}

void LocalMembers::end_group(const Patience& patience) {
  in_group_ = false;
  run(patience);
}

void LocalMembers::send(const Message& message, const Patience& patience) {
  if (!in_group_) messages_.clear();
  if (message.count > 0) messages_.push_back(message);
  if (!in_group_) run(patience);
}

void LocalMembers::run(const Patience& patience) {
  if (ended_) throw Error(*ended_);
  if (messages_.empty()) return;
  const uint64_t key = fingerprint(messages_);
  const bool known = known_.contains(key);
  perform(known ? Meeting::known : Meeting::first, patience, [this, known] {
    if (!known) make_room();
    for (const Message& message : messages_) call(message);
  });
  messages_.clear();
  if (known) return;
  if (known_.size() >= most_known) known_.clear();
  known_.insert(key);
}

void LocalMembers::call(const Message& m) const {
  const Member& member = members_[m.member];
  member.device->enter();
  const auto accept = [&](const auto& function, auto... arguments) {
    function.succeeds_unless(Nccl::in_progress, arguments..., member.handle, m.stream);
  };
  switch (m.kind) {
    case Message::Kind::send:
      return accept(api_.send, m.data, m.count, m.type, m.other);
    case Message::Kind::receive:
      return accept(api_.receive, m.out, m.count, m.type, m.other);
    case Message::Kind::all_gather:
      return accept(api_.all_gather, m.data, m.out, m.count, m.type);
    case Message::Kind::broadcast:
      return accept(api_.broadcast, m.data, m.out, m.count, m.type, m.other);
    case Message::Kind::all_reduce:
      return accept(api_.all_reduce, m.data, m.out, m.count, m.type, m.other);
  }
}

// Makes calls as one group of NCCL's, and sees to it that they are in their streams.
template <class Calls>
void LocalMembers::perform(Meeting meeting, const Patience& patience, const Calls& calls) {
  bool goes_on = false;
  may_end_ = false;
  try {
    if (meeting == Meeting::known || !blocking_) {
      goes_on = make(calls);
    } else {
      helper_.emplace([&] { goes_on = make(calls); });
      await(patience, [this] { return helper_->done(); });
      const std::exception_ptr failure = helper_->join();
      helper_.reset();
      if (failure) std::rethrow_exception(failure);
    }
    if (goes_on) await(patience, [this] { return settled(); });
  } catch (const Error& error) {
    abort(error);
    throw;
  } catch (...) {
    abort(Error(GPUARR_ERR_PEER, "the communicator was given up"));
    throw;
  }
}

// Whether NCCL is not done with them when it returns.
template <class Calls>
bool LocalMembers::make(const Calls& calls) {
  api_.group_start();
  try {
    calls();
  } catch (...) {
    api_.group_end.unchecked();
    throw;
  }
  may_end_ = true;
  return !api_.group_end.succeeds_unless(Nccl::in_progress);
}

void LocalMembers::await(const Patience& patience, const std::function<bool()>& done) const {
  using namespace std::chrono;
  constexpr auto eager = microseconds(200);
  constexpr auto longest = microseconds(1000);
  const auto start = steady_clock::now();
  while (!done()) {
    if (patience.poll) patience.poll();
    if (ended_) throw Error(*ended_);
    const auto waited = steady_clock::now() - start;
    if (duration<double>(waited).count() >= patience.seconds)
      fail(GPUARR_ERR_TIMEOUT,
           "rank {} of {} waited {} s in vain for other members of NCCL's communicator; all of "
           "them must make the same calls in the same order",
           members_.front().rank, size_, patience.seconds);
    if (waited < eager)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min<steady_clock::duration>(waited / 8, longest));
  }
}

bool LocalMembers::settled() const {
  return std::ranges::all_of(members_, [this](const Member& member) {
    Nccl::Result result = 0;
    api_.get_async_error(member.handle, &result);
    if (result != 0 && result != Nccl::in_progress) api_.fail("a call of NCCL's", result);
    return result == 0;
  });
}

void LocalMembers::check(size_t member) {
  if (ended_) throw Error(*ended_);
  members_[member].device->enter();
  Nccl::Result result = 0;
  api_.get_async_error(members_[member].handle, &result);
  if (result != 0 && result != Nccl::in_progress) api_.fail("NCCL's communicator", result);
}

void LocalMembers::finish(const Patience& patience) {
  if (ended_) throw Error(*ended_);
  perform(Meeting::first, patience, [this] {
    for (const Member& member : members_) {
      member.device->enter();
      api_.finalize.succeeds_unless(Nccl::in_progress, member.handle);
    }
  });
  abort(Error(GPUARR_ERR_PEER, "the communicator is finished, and sends nothing any more"));
}

// A helper that waits for other members in a call returns when NCCL knows that all is to end.
void LocalMembers::abort(Error why) noexcept {
  if (ended_) return;
  ended_ = std::move(why);
  if (!helper_ && !members_.front().device->enter_quietly()) return;
  while (helper_ && !may_end_ && !helper_->done()) std::this_thread::yield();
  api_.group_start.unchecked();
  for (const Member& member : members_)
    if (member.handle != nullptr) api_.abort.unchecked(member.handle);
  if (helper_) helper_->join();
  api_.group_end.unchecked();
}

std::string LocalMembers::description() const { return "NCCL " + api_.version_text(); }

}  // namespace gpuarr::cuda
