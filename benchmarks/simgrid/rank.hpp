// A rank in SimGrid: its team, what is measured of it, and the transport that its team sends by.
#pragma once

#include <gpuarr.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform.hpp"

namespace s4u = simgrid::s4u;

inline void check(gpuarr_status status) {
  if (status == GPUARR_OK) return;
  std::fprintf(stderr, "%s\n", gpuarr_last_error());
  std::exit(1);
}

inline double now() { return s4u::Engine::get_clock(); }

// This rank's alone: each has a thread.
inline double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of a call, one of several in a row: of the slowest rank and of the one that sends most.
struct Figure {
  double seconds = 0, messages = 0, bytes = 0;
  double first_cpu = 0, cpu = 0;  // the host's time in the library, mean of all ranks
};
inline std::map<std::string, std::map<int, Figure>> figures;  // by name and ranks

struct Rank {
  int number, size;
  s4u::BarrierPtr all;
  const std::vector<s4u::Host*>& hosts;
  gpuarr_team* team = nullptr;
  gpuarr_stream* stream = nullptr;
  double grain = 1;                 // bytes that a byte of an element stands for
  double launch = cluster::launch;  // of what sends elements
  bool in_flows = true;             // long messages share links; otherwise their time means nothing
  double owed = 0;  // for what was sent, to pass with the next wait: long messages start together
  double messages = 0, bytes = 0, cpu_outside = 0;

  // Time passes, not the library's.
  void work_until(double time) {
    const double begin = cpu_now();
    if (time - now() > 1e-9) s4u::this_actor::sleep_until(time);
    cpu_outside += cpu_now() - begin;
  }
  void work(double seconds) { work_until(now() + seconds); }

  template <class Step>
  void time(const char* what, const Step& step) {
    constexpr int calls = 2;
    if (number == 0) std::fprintf(stderr, "%d ranks: %s\n", size, what);
    Figure& figure = figures[what][size];
    const double first = cpu_now() - cpu_outside;
    step();
    figure.first_cpu += (cpu_now() - cpu_outside - first) / size;
    messages = bytes = 0;
    all->wait();
    const double begin = now(), cpu = cpu_now() - cpu_outside;
    for (int k = 0; k < calls; ++k) step();
    if (in_flows) figure.seconds = std::max(figure.seconds, (now() - begin) / calls);
    figure.cpu += (cpu_now() - cpu_outside - cpu) / calls / size;
    figure.messages = std::max(figure.messages, messages / calls);
    figure.bytes = std::max(figure.bytes, bytes / calls);
    all->wait();
  }

  gpuarr_blocked* blocked(const int64_t (&shape)[2], const int64_t (&chunk)[2],
                          const int64_t (&halo)[2]) const {
    gpuarr_blocked_options* options = nullptr;
    gpuarr_blocked* out = nullptr;
    const int32_t kinds[] = {halo[0] > 0 ? GPUARR_BOUNDARY_CONSTANT : GPUARR_BOUNDARY_NONE,
                             halo[1] > 0 ? GPUARR_BOUNDARY_CONSTANT : GPUARR_BOUNDARY_NONE};
    check(gpuarr_blocked_options_create(&options));
    check(gpuarr_blocked_options_set_halo(options, 2, halo, halo, kinds));
    check(gpuarr_blocked_empty(&out, team, GPUARR_F32, 2, shape, chunk, options));
    gpuarr_blocked_options_release(options);
    return out;
  }

  // The elements of this rank's first block.
  template <class T>
  std::vector<T> read(const gpuarr_blocked* x, int32_t with_halo) const {
    gpuarr_array* mine = nullptr;
    check(gpuarr_blocked_local(&mine, x, 0, with_halo));
    std::vector<T> out(static_cast<size_t>(gpuarr_array_size(mine)));
    check(gpuarr_array_read(out.data(), static_cast<int64_t>(out.size() * sizeof(T)), nullptr, mine,
                            stream));
    gpuarr_array_release(mine);
    return out;
  }
};

// What the simulator and this program do is not the library's time.
class Outside {
 public:
  explicit Outside(Rank& rank) : rank_(rank), begin_(cpu_now()) {}
  ~Outside() { rank_.cpu_outside += cpu_now() - begin_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Rank& rank_;
  double begin_;
};

using Bytes = std::vector<char>;

// A short message takes its way's latency and shares no link: the simulator need not solve for its
// rate. Its sender does not wait for who receives it.
inline constexpr double most_short = 4096;

struct Short {
  Bytes bytes;
  double arrives;
};

// From one rank to another, of one tag, in order.
struct Channel {
  s4u::SemaphorePtr there = s4u::Semaphore::create(0);
  std::deque<Short> messages;
};

inline Channel& channel(int from, int to, int tag) {
  static std::map<std::array<int, 3>, Channel> all;
  return all[{from, to, tag}];
}

inline s4u::Mailbox* mailbox(int from, int to, int tag) {
  return s4u::Mailbox::by_name(std::to_string(from) + "-" + std::to_string(to) + "-" +
                               std::to_string(tag));
}

struct Message {
  void* target = nullptr;       // null where it is sent
  double launch = 0;            // before it is there
  Channel* from = nullptr;      // of a short one that is received
  s4u::CommPtr comm = nullptr;  // of a long one
  Bytes* bytes = nullptr;       // that it brings

  // When it is there, where it is received.
  double wait() {
    if (comm != nullptr) {
      comm->wait();
      if (target == nullptr) return 0;
      const std::unique_ptr<Bytes> came(bytes);
      std::memcpy(target, came->data(), came->size());
      return comm->get_finish_time() + launch;
    }
    if (target == nullptr) return 0;
    from->there->acquire();
    const Short came = std::move(from->messages.front());
    from->messages.pop_front();
    std::memcpy(target, came.bytes.data(), came.bytes.size());
    return came.arrives + launch;
  }
};

// Tags of a team: 0 control, 1 failures, 2 elements of arrays (Team::data_tag).
inline bool is_of_arrays(int32_t tag) { return tag % 8 == 2; }

inline bool is_short(const Rank& rank, double size) { return size <= most_short || !rank.in_flows; }

inline double size_of(const Rank& rank, int64_t bytes, int32_t tag) {
  return static_cast<double>(bytes) * (is_of_arrays(tag) ? rank.grain : 1);
}

inline int32_t send(void** out, const void* data, int64_t bytes, int32_t to, int32_t tag,
                    void* user) {
  Rank& rank = *static_cast<Rank*>(user);
  const Outside outside(rank);
  const auto* begin = static_cast<const char*>(data);
  const double size = size_of(rank, bytes, tag);
  rank.messages += 1;
  rank.bytes += size;
  rank.owed += cluster::message;
  auto message = std::make_unique<Message>();
  if (is_short(rank, size)) {
    std::vector<s4u::Link*> links;
    double latency = 0;
    rank.hosts[static_cast<size_t>(rank.number)]->route_to(rank.hosts[static_cast<size_t>(to)],
                                                           links, &latency);
    Channel& way = channel(rank.number, to, tag);
    way.messages.push_back({Bytes(begin, begin + bytes),
                            now() + rank.owed + latency + size / links.front()->get_bandwidth()});
    way.there->release();
  } else {
    message->comm = mailbox(rank.number, to, tag)
                        ->put_async(new Bytes(begin, begin + bytes), static_cast<uint64_t>(size));
  }
  *out = message.release();
  return 0;
}

inline int32_t receive(void** out, void* data, int64_t bytes, int32_t from, int32_t tag,
                       void* user) {
  Rank& rank = *static_cast<Rank*>(user);
  const Outside outside(rank);
  auto message = std::make_unique<Message>();
  message->target = data;
  message->launch = is_of_arrays(tag) ? rank.launch : 0;
  if (is_short(rank, size_of(rank, bytes, tag)))
    message->from = &channel(from, rank.number, tag);
  else
    message->comm = mailbox(from, rank.number, tag)->get_async(&message->bytes);
  *out = message.release();
  return 0;
}

// Waits instead of saying that it is not there yet: all that others wait for has been sent before.
inline int32_t test(int32_t* out, void* request, void* user) {
  Rank& rank = *static_cast<Rank*>(user);
  const Outside outside(rank);
  const std::unique_ptr<Message> message(static_cast<Message*>(request));
  if (rank.owed > 0) s4u::this_actor::sleep_for(std::exchange(rank.owed, 0));
  const double there = message->wait();
  if (message->target != nullptr)
    s4u::this_actor::sleep_until(std::max(there, now()) + cluster::message);
  *out = 1;
  return 0;
}
