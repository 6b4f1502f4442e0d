#include "team/transport/sockets.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

// The first of the list that is right, which is then no longer in it; null if there is none.
template <class Is>
Transfer* take_first(std::vector<Transfer*>& list, const Is& is_right) {
  const auto found = std::ranges::find_if(list, [&](const Transfer* t) { return is_right(*t); });
  if (found == list.end()) return nullptr;
  Transfer* transfer = *found;
  list.erase(found);
  return transfer;
}

// From here on the transfer is its owner's again, or nobody's.
void finish_transfer(Transfer* transfer, gpuarr_status status = GPUARR_OK,
                     std::string problem = "") {
  transfer->over = true;
  transfer->status = status;
  transfer->problem = std::move(problem);
  if (transfer->is_dropped) delete transfer;
}

// Whether the message has the size that was wanted; if not, the receive has failed.
bool has_wanted_size(const Frame& frame, Transfer* transfer) {
  if (frame.size == transfer->bytes) return true;
  finish_transfer(
      transfer, GPUARR_ERR_MISMATCH,
      formatted("rank {} sent {} bytes where {} were expected; all must make the same calls",
                transfer->peer, frame.size, transfer->bytes));
  return false;
}

std::string gone(int rank) { return formatted("rank {} is gone: its process has ended", rank); }

class SocketsTransport final : public Transport {
 public:
  explicit SocketsTransport(Sockets& sockets)
      : Transport(sockets.rank(), sockets.size()),
        sockets_(sockets),
        first_channel_(uint64_t{sockets.next_team()} * (most_tag + 1)) {}

  Request send(const void* data, int64_t bytes, int to, int tag) override {
    return {sockets_.send(data, bytes, to, channel(tag))};
  }
  Request receive(void* data, int64_t bytes, int from, int tag) override {
    return {sockets_.receive(data, bytes, from, channel(tag))};
  }
  bool test(Request& request) override {
    auto* transfer = static_cast<Transfer*>(std::exchange(request.handle, nullptr));
    if (sockets_.test(transfer)) return true;
    request.handle = transfer;
    return false;
  }
  void drop(Request& request, std::shared_ptr<void> keeper) noexcept override {
    auto* transfer = static_cast<Transfer*>(std::exchange(request.handle, nullptr));
    if (transfer != nullptr) sockets_.drop(transfer, std::move(keeper));
  }
  bool probe(int tag, int& from) override { return sockets_.probe(channel(tag), from); }
  // Whoever started the processes ends the others with this one.
  void abort(int code) noexcept override { std::_Exit(code != 0 ? code : 1); }
  void check() override { sockets_.check(); }
  std::string description() const override { return "sockets of gpuarr run"; }

 private:
  uint64_t channel(int tag) const { return first_channel_ + static_cast<uint64_t>(tag); }

  Sockets& sockets_;
  const uint64_t first_channel_;
};

}  // namespace

std::unique_ptr<Transport> sockets_transport(Sockets& sockets) {
  return std::make_unique<SocketsTransport>(sockets);
}

Sockets::Sockets(int rank, const std::vector<int>& sockets) : rank_(rank), ready_(sockets.size()) {
  for (size_t k = 0; k < sockets.size(); ++k) peers_.emplace_back(static_cast<int>(k), sockets[k]);
}

Sockets::~Sockets() {
  for (int socket : own_)
    if (socket >= 0) ::close(socket);
}

void Sockets::check() const {
  if (fork_generation() != generation_)
    fail(GPUARR_ERR_FORKED,
         "this process was forked by process {} of gpuarr run, whose messages are not for it; "
         "fork before a team is made, or execute another program",
         rank_);
}

// Messages to oneself go the same way, if there are any.
Sockets::Peer& Sockets::open(int rank) {
  Peer& peer = peers_[static_cast<size_t>(rank)];
  if (rank != rank_ || peer.link.in() >= 0) return peer;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, own_) != 0)
    throw Error(GPUARR_ERR_IO, "no socket for messages to oneself: " + errno_text(errno), errno);
  peer.link = Link(own_[0], own_[1]);
  return peer;
}

Transfer* Sockets::send(const void* data, int64_t bytes, int to, uint64_t channel) {
  check();
  std::lock_guard lock(mutex_);
  Peer& peer = open(to);
  if (peer.is_gone) throw Error(GPUARR_ERR_PEER, gone(to));
  auto transfer = std::make_unique<Transfer>();
  transfer->peer = to;
  transfer->data = static_cast<char*>(const_cast<void*>(data));
  transfer->bytes = bytes;
  if (bytes > most_short) {
    transfer->number = ++numbers_;
    peer.waiting.reserve(peer.waiting.size() + 1);
    peer.link.put({Frame::Kind::announce, channel, bytes, transfer->number}, nullptr, nullptr);
    peer.waiting.push_back(transfer.get());
  } else {
    peer.link.put({Frame::Kind::message, channel, bytes, 0}, data, transfer.get());
  }
  Transfer* made = transfer.release();  // the peer has it
  write(peer);
  return made;
}

Transfer* Sockets::receive(void* data, int64_t bytes, int from, uint64_t channel) {
  check();
  std::lock_guard lock(mutex_);
  Peer& peer = open(from);
  auto transfer = std::make_unique<Transfer>();
  transfer->peer = from;
  transfer->channel = channel;
  transfer->data = static_cast<char*>(data);
  transfer->bytes = bytes;
  const auto arrival = std::ranges::find_if(peer.arrivals, [&](const Arrival& a) {
    return a.frame.channel == channel && a.claimed == nullptr;
  });
  if (arrival == peer.arrivals.end()) {
    if (peer.is_gone) throw Error(GPUARR_ERR_PEER, gone(from));
    peer.wanted.push_back(transfer.get());
  } else if (!arrival->is_there) {
    arrival->claimed = transfer.get();
  } else {
    hand_over(peer, *arrival, transfer.get());
    peer.arrivals.erase(arrival);
  }
  Transfer* made = transfer.release();
  write(peer);
  return made;
}

bool Sockets::test(Transfer* transfer) {
  check();
  std::lock_guard lock(mutex_);
  if (!transfer->over) progress(peers_[static_cast<size_t>(transfer->peer)]);
  if (!transfer->over && (size() > 2 || own_[0] >= 0)) progress_all();
  if (!transfer->over) return false;
  const std::unique_ptr<Transfer> done(transfer);
  if (done->status != GPUARR_OK) throw Error(done->status, std::move(done->problem));
  return true;
}

void Sockets::drop(Transfer* transfer, std::shared_ptr<void> keeper) noexcept {
  std::lock_guard lock(mutex_);
  transfer->is_dropped = true;
  transfer->keeper = std::move(keeper);
  if (transfer->over) delete transfer;
}

bool Sockets::probe(uint64_t channel, int& from) {
  check();
  std::lock_guard lock(mutex_);
  progress_all();
  const auto is_it = [&](const Arrival& a) {
    return a.frame.channel == channel && a.claimed == nullptr;
  };
  const auto found = std::ranges::find_if(
      peers_, [&](const Peer& peer) { return std::ranges::any_of(peer.arrivals, is_it); });
  if (found == peers_.end()) return false;
  from = found->rank;
  return true;
}

void Sockets::progress(Peer& peer) {
  if (peer.is_gone || peer.link.in() < 0) return;
  write(peer);
  read(peer);
  write(peer);  // what it called for
}

// Others may wait for what this process has to send them, or to take from them.
void Sockets::progress_all() {
  for (Peer& peer : peers_)
    ready_[static_cast<size_t>(peer.rank)] = {peer.is_gone ? -1 : peer.link.in(), POLLIN, 0};
  if (::poll(ready_.data(), ready_.size(), 0) < 0) return;
  for (Peer& peer : peers_)
    if (ready_[static_cast<size_t>(peer.rank)].revents != 0 || peer.link.has_more()) progress(peer);
}

void Sockets::write(Peer& peer) {
  while (!peer.is_gone) {
    void* done = nullptr;
    const Link::Event event = peer.link.write(done);
    if (event == Link::Event::nothing) return;
    if (event == Link::Event::end) {
      finish_transfer(static_cast<Transfer*>(done));
    } else {
      read(peer);  // what it sent before
      lose(peer);
    }
  }
}

void Sockets::read(Peer& peer) {
  while (!peer.is_gone) switch (peer.link.read()) {
      case Link::Event::nothing:
        return;
      case Link::Event::gone:
        return lose(peer);
      case Link::Event::frame:
        begin(peer);
        break;
      case Link::Event::end:
        end(peer);
    }
}

// A frame came: says where the bytes behind it go, if there are any.
void Sockets::begin(Peer& peer) {
  const Frame& frame = peer.link.frame();
  const auto of_number = [&](const Transfer& t) { return t.number == frame.number; };
  const auto of_channel = [&](const Transfer& t) { return t.channel == frame.channel; };
  peer.reading = nullptr;
  peer.arriving = nullptr;
  switch (frame.kind) {
    case Frame::Kind::call: {
      Transfer* transfer = take_first(peer.waiting, of_number);
      peer.link.put({Frame::Kind::bytes, 0, transfer->bytes, frame.number}, transfer->data,
                    transfer);
      return;
    }
    case Frame::Kind::refuse: {
      Transfer* transfer = take_first(peer.waiting, of_number);
      return finish_transfer(
          transfer, GPUARR_ERR_MISMATCH,
          formatted("rank {} expected {} bytes where {} were sent; all must make the "
                    "same calls",
                    peer.rank, frame.size, transfer->bytes));
    }
    case Frame::Kind::bytes:
      peer.reading = take_first(peer.expected, of_number);
      return peer.link.take(peer.reading->data);
    default:
      break;
  }
  if (Transfer* transfer = take_first(peer.wanted, of_channel)) return match(peer, frame, transfer);
  peer.arrivals.push_back({frame, std::vector<char>(static_cast<size_t>(frame.behind()))});
  Arrival& arrival = peer.arrivals.back();
  arrival.is_there = frame.behind() == 0;
  if (arrival.is_there) return;
  peer.arriving = &arrival;
  peer.link.take(arrival.data.data());
}

// The transfer is of the frame's channel, and in no list.
void Sockets::match(Peer& peer, const Frame& frame, Transfer* transfer) {
  if (frame.kind == Frame::Kind::announce) return call_for(peer, frame, transfer);
  if (has_wanted_size(frame, transfer)) {
    peer.reading = transfer;
    return peer.link.take(transfer->data);
  }
  peer.refused.resize(static_cast<size_t>(frame.behind()));
  peer.link.take(peer.refused.data());
}

void Sockets::call_for(Peer& peer, const Frame& frame, Transfer* transfer) {
  const int64_t wanted = transfer->bytes;
  if (!has_wanted_size(frame, transfer))
    return peer.link.put({Frame::Kind::refuse, 0, wanted, frame.number}, nullptr, nullptr);
  transfer->number = frame.number;
  peer.expected.push_back(transfer);
  peer.link.put({Frame::Kind::call, 0, 0, frame.number}, nullptr, nullptr);
}

void Sockets::hand_over(Peer& peer, const Arrival& arrival, Transfer* transfer) {
  if (arrival.frame.kind == Frame::Kind::announce) return call_for(peer, arrival.frame, transfer);
  if (!has_wanted_size(arrival.frame, transfer)) return;
  std::copy(arrival.data.begin(), arrival.data.end(), transfer->data);
  finish_transfer(transfer);
}

void Sockets::end(Peer& peer) {
  if (peer.reading != nullptr) finish_transfer(std::exchange(peer.reading, nullptr));
  if (peer.arriving == nullptr) return;
  Arrival& arrival = *std::exchange(peer.arriving, nullptr);
  arrival.is_there = true;
  if (arrival.claimed == nullptr) return;
  hand_over(peer, arrival, arrival.claimed);
  std::erase_if(peer.arrivals, [&](const Arrival& a) { return &a == &arrival; });
}

// Only what has arrived can still be received.
void Sockets::lose(Peer& peer) {
  if (std::exchange(peer.is_gone, true)) return;
  const auto fail_it = [&](Transfer* transfer) {
    if (transfer != nullptr) finish_transfer(transfer, GPUARR_ERR_PEER, gone(peer.rank));
  };
  while (void* done = peer.link.forget()) fail_it(static_cast<Transfer*>(done));
  for (auto* list : {&peer.wanted, &peer.waiting, &peer.expected}) {
    std::ranges::for_each(*list, fail_it);
    list->clear();
  }
  fail_it(std::exchange(peer.reading, nullptr));
  std::erase_if(peer.arrivals, [&](const Arrival& arrival) {
    const bool is_whole = arrival.is_there && arrival.frame.kind == Frame::Kind::message;
    if (!is_whole) fail_it(arrival.claimed);
    return !is_whole;
  });
}

}  // namespace gpuarr::team
