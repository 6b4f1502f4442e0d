// Messages to processes of the same machine, through a socket to each of them.
#pragma once

#include <poll.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "team/transport/link.hpp"
#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// A message that is sent or received; what a Request points to.
struct Transfer {
  int peer = 0;
  uint64_t channel = 0;
  char* data = nullptr;
  int64_t bytes = 0;
  uint64_t number = 0;  // of a long one
  bool over = false;
  gpuarr_status status = GPUARR_OK;  // and the message, where it failed
  std::string problem;
  bool is_dropped = false;  // nobody will ask for it
  std::shared_ptr<void> keeper;
};

/// Long messages go when both sides have come, so that nobody has to keep what nobody wants yet;
/// short ones at once. All functions make progress for all messages.
class Sockets {
 public:
  /// A socket to each process, -1 to oneself. They stay open.
  Sockets(int rank, const std::vector<int>& sockets);
  ~Sockets();
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(peers_.size()); }
  uint32_t next_team() { return teams_++; }

  Transfer* send(const void* data, int64_t bytes, int to, uint64_t channel);
  Transfer* receive(void* data, int64_t bytes, int from, uint64_t channel);
  bool test(Transfer* transfer);  // deletes it where it is over, also where that fails
  void drop(Transfer* transfer, std::shared_ptr<void> keeper) noexcept;
  bool probe(uint64_t channel, int& from);
  void check() const;

  static constexpr int64_t most_short = int64_t{32} << 10;

 private:
  // A message that nobody has asked for.
  struct Arrival {
    Frame frame;
    std::vector<char> data;
    bool is_there = false;        // all of it
    Transfer* claimed = nullptr;  // by a receive, before it was
  };

  struct Peer {
    Peer(int its_rank, int socket) : rank(its_rank), link(socket, socket) {}
    int rank;
    Link link;
    bool is_gone = false;
    std::list<Arrival> arrivals;
    std::vector<Transfer*> wanted;    // receives of what did not arrive yet
    std::vector<Transfer*> waiting;   // long ones that were announced
    std::vector<Transfer*> expected;  // long ones that were called for
    // What the link reads: one of these, or nothing that is wanted.
    Transfer* reading = nullptr;
    Arrival* arriving = nullptr;
    std::vector<char> refused;
  };

  Peer& open(int rank);
  void progress(Peer& peer);
  void progress_all();
  void write(Peer& peer);
  void read(Peer& peer);
  void begin(Peer& peer);
  void end(Peer& peer);
  void lose(Peer& peer);
  void match(Peer& peer, const Frame& frame, Transfer* transfer);
  void call_for(Peer& peer, const Frame& frame, Transfer* transfer);
  void hand_over(Peer& peer, const Arrival& arrival, Transfer* transfer);

  const int rank_;
  const uint32_t generation_ = fork_generation();
  mutable ForkSafeMutex mutex_;
  std::deque<Peer> peers_;
  std::vector<pollfd> ready_;
  int own_[2] = {-1, -1};  // to oneself
  uint64_t numbers_ = 0;
  std::atomic<uint32_t> teams_{0};
};

std::unique_ptr<Transport> sockets_transport(Sockets& sockets);

}  // namespace gpuarr::team
