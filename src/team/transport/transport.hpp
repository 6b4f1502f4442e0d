// Messages between processes: bytes in the host's memory. MPI, pipes of one machine, or functions
// of the user's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace gpuarr::team {

/// A message under way.
struct Request {
  void* handle = nullptr;  // of the transport's
};

/// All calls are made by one thread at a time. Messages of one tag between two processes arrive in
/// the order in which they were sent. Nothing here waits for another process.
class Transport {
 public:
  Transport(int rank, int size) : rank_(rank), size_(size) {}
  virtual ~Transport() = default;  // does not wait for the others
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The memory must stay until test() says so. `tag` is from 0 to most_tag.
  virtual Request send(const void* data, int64_t bytes, int to, int tag) = 0;
  virtual Request receive(void* data, int64_t bytes, int from, int tag) = 0;
  /// Whether the message is there, or gone; the request is then over.
  virtual bool test(Request& request) = 0;
  /// Lets go of a request whose message nobody waits for any more. Its memory may still be written
  /// to, and is the transport's from now on where `keeper` holds it.
  virtual void drop(Request& request, std::shared_ptr<void> keeper) noexcept = 0;

  /// Whether a message of the tag waits to be received, and whose.
  virtual bool probe(int tag, int& from) = 0;

  /// Ends all processes, as MPI_Abort does. May return where the transport cannot.
  virtual void abort(int code) noexcept = 0;
  /// Fails where it can send no more, as after MPI_Finalize.
  virtual void check() {}

  virtual std::string description() const = 0;  // "Open MPI 4.1.4"
  /// Of the user's communicator, on which none of these messages are; -1: there is none.
  virtual int fortran_handle() { return -1; }

  static constexpr int most_tag = 7;

 private:
  int rank_, size_;
};

}  // namespace gpuarr::team
