// The members of one of NCCL's communicators that this process has.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/error.hpp"
#include "cuda/device/device.hpp"
#include "cuda/libraries/helper.hpp"
#include "cuda/libraries/nccl.hpp"

namespace gpuarr::cuda {

/// A call of NCCL's that sends or receives.
struct Message {
  enum class Kind { send, receive, all_gather, broadcast, all_reduce };
  Kind kind;
  size_t member;  // whose it is, of those of this process
  const void* data;
  void* out;
  size_t count;
  int type;   // of elements, in NCCL's numbers
  int other;  // the peer, the root, or the operator
  CUstream stream;
};

/// They act together: NCCL wants what one process does for several members in one group of calls.
/// Whatever fails ends the communicator. All on one thread; README.md says how it waits.
class LocalMembers {
 public:
  LocalMembers(const CommunicatorId& id, int size, std::span<const CommunicatorMember> members,
               const Patience& patience);
  ~LocalMembers();
  LocalMembers(const LocalMembers&) = delete;
  LocalMembers& operator=(const LocalMembers&) = delete;

  void begin_group();
  void end_group(const Patience& patience);
  void send(const Message& message, const Patience& patience);  // now, or with the group

  void check(size_t member);
  void finish(const Patience& patience);
  void abort(Error why) noexcept;  // also while others are waited for

  Nccl::Comm handle(size_t member) const { return ended_ ? nullptr : members_[member].handle; }
  std::string description() const;

 private:
  struct Member {
    CudaDevice* device;
    int rank;
    Nccl::Comm handle = nullptr;
  };
  enum class Meeting { known, first };  // first: members may wait for each other

  void make_room();
  void begin_all(const CommunicatorId& id);
  void run(const Patience& patience);
  void call(const Message& m) const;
  template <class Calls>
  void perform(Meeting meeting, const Patience& patience, const Calls& calls);
  template <class Calls>
  bool make(const Calls& calls);
  void await(const Patience& patience, const std::function<bool()>& done) const;
  bool settled() const;

  const Nccl& api_;
  const int size_;
  const bool blocking_;
  std::vector<Member> members_;
  std::vector<Message> messages_;  // of the group
  bool in_group_ = false;
  std::unordered_set<uint64_t> known_;  // groups that were there before
  std::optional<Helper> helper_;        // while one calls NCCL
  std::atomic<bool> may_end_{false};    // it is where it may be told to
  std::optional<Error> ended_;
};

}  // namespace gpuarr::cuda
