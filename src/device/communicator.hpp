// Messages between devices of one kind, in the order of streams, as NCCL sends them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.hpp"

namespace gpuarr {

class Device;
class Stream;

/// What the members of a communicator share before there is one; one of them makes it.
using CommunicatorId = std::array<std::byte, 128>;

/// Operators of all_reduce().
enum class Combine { sum, prod, min, max };

/// How long calls wait for other members, as where two of them meet for the first time.
struct Patience {
  double seconds = 300;  // then all is aborted, and the call fails with GPUARR_ERR_TIMEOUT
  /// Called again and again meanwhile; what it throws ends the waiting in the same way.
  std::function<void()> poll = {};
};

/// One member of a group of devices. Every member makes the same calls in the same order, on one
/// thread; each returns when the work is in the stream. The memory must stay until the stream is
/// past it. Whatever fails aborts, and so it does for all members that this process has.
class Communicator {
 public:
  explicit Communicator(Patience patience) : patience_(std::move(patience)) {}
  /// Does not wait for the others: work that is not done is aborted with the last member.
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// Of this member's calls; of a group's that of the one that ends it.
  void set_patience(Patience patience) { patience_ = std::move(patience); }

  /// What lies between begin_group() and end_group(), of all members that this process has, goes
  /// together: a send may then stand before the receive that it needs. Groups do not nest. Where
  /// the process has several members, what all of them do is a group, even one call of each.
  virtual void begin_group() = 0;
  virtual void end_group() = 0;

  virtual void send(const void* data, int64_t bytes, int to, Stream& stream) = 0;
  virtual void receive(void* data, int64_t bytes, int from, Stream& stream) = 0;
  /// `out` gets the bytes of all members, in their order; `data` may be its place in `out`.
  virtual void all_gather(void* out, const void* data, int64_t bytes, Stream& stream) = 0;
  virtual void broadcast(void* data, int64_t bytes, int from, Stream& stream) = 0;
  /// False, and nothing done, where it has no such type or operator. `data` may be `out`.
  virtual bool all_reduce(void* out, const void* data, int64_t count, DType dtype, Combine how,
                          Stream& stream) = 0;

  /// Fails with what went wrong since, as far as it is known: a member that is gone is not noticed.
  virtual void check() = 0;
  /// Waits until the others have what was sent to them. To be called before the end, where all is
  /// well: nothing can be sent any more.
  virtual void finish() {}
  /// Ends work that waits for other members; nothing can be sent any more.
  virtual void abort() noexcept = 0;

  virtual void* native() const = 0;             // an ncclComm_t
  virtual std::string description() const = 0;  // "NCCL 2.28.9"

 protected:
  const Patience& patience() const { return patience_; }

 private:
  Patience patience_;
};

/// A device of this process, and its number in the group.
struct CommunicatorMember {
  Device* device;
  int rank;
};

}  // namespace gpuarr
