// What every transport must do, between as many processes as it has: each of them runs all of this.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "check.hpp"
#include "team/transport/transport.hpp"

namespace messages {

using gpuarr::team::Request;
using gpuarr::team::Transport;
using Make = std::function<std::unique_ptr<Transport>()>;
using Bytes = std::vector<unsigned char>;

/// Waits for a message, for at most 20 seconds.
inline void finish(Transport& transport, Request& request) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!transport.test(request)) {
    if (std::chrono::steady_clock::now() > end)
      gpuarr::fail(GPUARR_ERR_TIMEOUT, "rank {} waited too long", transport.rank());
    ::sched_yield();
  }
  CHECK(request.handle == nullptr);
}

inline void finish(Transport& transport, std::vector<Request>& requests) {
  for (Request& request : requests) finish(transport, request);
  requests.clear();
}

inline void send(Transport& transport, const Bytes& data, int to, int tag) {
  Request request = transport.send(data.data(), static_cast<int64_t>(data.size()), to, tag);
  finish(transport, request);
}

inline void receive(Transport& transport, Bytes& data, int from, int tag) {
  Request request = transport.receive(data.data(), static_cast<int64_t>(data.size()), from, tag);
  finish(transport, request);
}

/// Bytes that no other message of a test has.
inline Bytes bytes_of(int from, int to, int tag, size_t size) {
  Bytes out(size);
  std::minstd_rand random(static_cast<unsigned>(1 + from + 100 * to + 10000 * tag));
  for (unsigned char& byte : out) byte = static_cast<unsigned char>(random() >> 8);
  return out;
}

/// All wait for all.
inline void meet(Transport& transport) {
  std::vector<Request> requests;
  char token = 0;
  std::vector<char> tokens(static_cast<size_t>(transport.size()));
  for (int other = 0; other < transport.size(); ++other) {
    if (other == transport.rank()) continue;
    requests.push_back(transport.send(&token, 1, other, Transport::most_tag));
    requests.push_back(
        transport.receive(&tokens[static_cast<size_t>(other)], 1, other, Transport::most_tag));
  }
  finish(transport, requests);
}

/// Between all pairs at once, oneself included, so that large ones cross.
inline void sizes_cross(Transport& transport, size_t most = size_t{3} << 20) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{8}, size_t{65536}, size_t{3} << 20}) {
    if (size > most) return;
    std::vector<Bytes> out, in;
    std::vector<Request> requests;
    for (int other = 0; other < transport.size(); ++other) {
      out.push_back(bytes_of(transport.rank(), other, 3, size));
      in.emplace_back(size);
    }
    for (int other = 0; other < transport.size(); ++other) {
      const auto k = static_cast<size_t>(other), bytes = size;
      requests.push_back(transport.send(out[k].data(), static_cast<int64_t>(bytes), other, 3));
      requests.push_back(transport.receive(in[k].data(), static_cast<int64_t>(bytes), other, 3));
    }
    finish(transport, requests);
    for (int other = 0; other < transport.size(); ++other)
      CHECK(in[static_cast<size_t>(other)] == bytes_of(other, transport.rank(), 3, size));
  }
}

/// One direction at a time: the receiver is there first, and late.
inline void one_waits(Transport& transport) {
  if (transport.size() < 2 || transport.rank() > 1) return;
  const int other = 1 - transport.rank();
  for (size_t size : {size_t{5}, size_t{1} << 20}) {
    for (int round = 0; round < 4; ++round) {
      if (round % 2 == transport.rank()) {
        if (round >= 2) ::usleep(2000);
        send(transport, bytes_of(transport.rank(), other, round, size), other, 1);
      } else {
        if (round < 2) ::usleep(2000);
        Bytes in(size);
        receive(transport, in, other, 1);
        CHECK(in == bytes_of(other, transport.rank(), round, size));
      }
    }
  }
}

/// What was sent with one tag keeps its order; tags are received in any order.
inline void tags_in_any_order(Transport& transport, uint64_t seed) {
  constexpr int tags = Transport::most_tag + 1, each = 3;
  const auto size_of = [](int tag, int k) {
    return tag % 3 == 2 ? size_t{400000} + static_cast<size_t>(k) : static_cast<size_t>(tag * k);
  };
  std::mt19937_64 random(seed + static_cast<uint64_t>(transport.rank()));
  const int to = (transport.rank() + 1) % transport.size();
  const int from = (transport.rank() + transport.size() - 1) % transport.size();
  std::vector<Bytes> out, in(tags * each);
  std::vector<Request> requests;
  out.reserve(tags * each);
  for (int k = 0; k < each; ++k)
    for (int tag = 0; tag < tags; ++tag) {
      out.push_back(bytes_of(transport.rank(), k, tag, size_of(tag, k)));
      requests.push_back(
          transport.send(out.back().data(), static_cast<int64_t>(out.back().size()), to, tag));
    }
  std::vector<int> order;
  for (int tag = 0; tag < tags; ++tag) order.insert(order.end(), each, tag);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<int> seen(tags, 0);
  for (int tag : order) {
    const int k = seen[static_cast<size_t>(tag)]++;
    Bytes& data = in[static_cast<size_t>(tag * each + k)];
    data.resize(size_of(tag, k));
    requests.push_back(
        transport.receive(data.data(), static_cast<int64_t>(data.size()), from, tag));
    if (random() % 2 == 0) finish(transport, requests.back()), requests.pop_back();
  }
  finish(transport, requests);
  for (int tag = 0; tag < tags; ++tag)
    for (int k = 0; k < each; ++k)
      CHECK(in[static_cast<size_t>(tag * each + k)] == bytes_of(from, k, tag, size_of(tag, k)));
}

/// A message is found by its tag, and stays until it is received.
inline void probes(Transport& transport) {
  meet(transport);
  int from = -7;
  CHECK(!transport.probe(5, from));
  meet(transport);
  for (int sender = 0; sender < transport.size(); ++sender) {
    if (sender == transport.rank()) {
      std::vector<Bytes> out;
      std::vector<Request> requests;
      out.reserve(static_cast<size_t>(2 * transport.size()));
      for (int to = 0; to < transport.size(); ++to)
        for (int tag : {4, 5}) {
          if (to == sender) continue;
          out.push_back(bytes_of(sender, to, tag, 8));
          requests.push_back(transport.send(out.back().data(), 8, to, tag));
        }
      finish(transport, requests);
      meet(transport);
      continue;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!transport.probe(5, from) && std::chrono::steady_clock::now() < end) ::sched_yield();
    CHECK_EQ(from, sender);
    CHECK(transport.probe(5, from));
    Bytes in(8);
    receive(transport, in, from, 5);
    CHECK(in == bytes_of(sender, transport.rank(), 5, 8));
    CHECK(!transport.probe(5, from));
    receive(transport, in, sender, 4);
    CHECK(in == bytes_of(sender, transport.rank(), 4, 8));
    meet(transport);
  }
}

/// Messages of teams do not meet, and teams go in any order.
inline void teams_are_apart(const Make& make) {
  std::vector<std::unique_ptr<Transport>> teams;
  for (int k = 0; k < 3; ++k) teams.push_back(make());
  const int rank = teams[0]->rank(), size = teams[0]->size();
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  std::vector<Bytes> out, in;
  for (int k = 0; k < 3; ++k) {
    out.push_back(bytes_of(rank, k, 0, 100));
    in.emplace_back(100);
  }
  std::vector<Request> sent, got;
  for (size_t k = 0; k < 3; ++k) sent.push_back(teams[k]->send(out[k].data(), 100, to, 0));
  for (size_t k = 3; k-- > 0;) {
    got.push_back(teams[k]->receive(in[k].data(), 100, from, 0));
    finish(*teams[k], got.back());
    CHECK(in[k] == bytes_of(from, static_cast<int>(k), 0, 100));
  }
  for (size_t k = 0; k < 3; ++k) finish(*teams[k], sent[k]);
  for (auto& team : teams) meet(*team);
  teams.erase(teams.begin() + rank % 3);  // each process another one
  const auto fourth = make();
  sizes_cross(*fourth, 8);
}

/// The memory of a dropped message stays as long as it is needed, and others are not disturbed.
inline void drops(Transport& transport) {
  meet(transport);
  const int to = (transport.rank() + 1) % transport.size();
  const int from = (transport.rank() + transport.size() - 1) % transport.size();
  constexpr int64_t large = 1 << 20;
  auto unsent = std::make_shared<Bytes>(bytes_of(transport.rank(), to, 1, large));
  auto unread = std::make_shared<Bytes>(large);
  const std::weak_ptr<Bytes> sent_memory = unsent, read_memory = unread;
  Request receiving = transport.receive(unread->data(), large, from, 1);
  Request sending = transport.send(unsent->data(), large, to, 1);
  transport.drop(receiving, std::move(unread));
  transport.drop(sending, std::move(unsent));
  CHECK(receiving.handle == nullptr && sending.handle == nullptr);
  // The first message went to the receive that was dropped.
  const Bytes out = bytes_of(transport.rank(), to, 2, 50);
  Bytes in(50);
  Request next = transport.send(out.data(), 50, to, 1);
  receive(transport, in, from, 1);
  finish(transport, next);
  CHECK(in == bytes_of(from, transport.rank(), 2, 50));
  for (int k = 0; k < 2000 && !(sent_memory.expired() && read_memory.expired()); ++k) {
    Request to_self = transport.send(out.data(), 1, transport.rank(), 0);
    Request from_self = transport.receive(in.data(), 1, transport.rank(), 0);
    finish(transport, to_self);
    finish(transport, from_self);
    int found = 0;
    transport.probe(6, found);  // which helps what is under way
    ::usleep(k < 100 ? 10 : 1000);
  }
  CHECK(sent_memory.expired());
  CHECK(read_memory.expired());
}

/// Many at once, of all sizes.
inline void many(Transport& transport, uint64_t seed, int count) {
  struct One {
    int from, to, tag;
    size_t size;
  };
  std::mt19937_64 random(seed);  // the same everywhere
  std::vector<One> all;
  for (int k = 0; k < count; ++k) {
    const auto number = [&](int n) {
      return static_cast<int>(random() % static_cast<unsigned>(n));
    };
    all.push_back({number(transport.size()), number(transport.size()), number(7),
                   random() % 8 == 0 ? random() % 700000 : random() % 300});
  }
  std::vector<Bytes> out(all.size()), in(all.size());
  std::vector<Request> requests;
  for (size_t k = 0; k < all.size(); ++k) {
    const auto& [from, to, tag, size] = all[k];
    if (from == transport.rank()) {
      out[k] = bytes_of(from, to, static_cast<int>(k), size);
      requests.push_back(transport.send(out[k].data(), static_cast<int64_t>(size), to, tag));
    }
    if (to == transport.rank()) {
      in[k].resize(size);
      requests.push_back(transport.receive(in[k].data(), static_cast<int64_t>(size), from, tag));
    }
    if (random() % 16 == 0) finish(transport, requests);
  }
  finish(transport, requests);
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].to == transport.rank())
      CHECK(in[k] == bytes_of(all[k].from, all[k].to, static_cast<int>(k), all[k].size));
}

inline void all_of_it(const Make& make, uint64_t seed) {
  const std::unique_ptr<Transport> transport = make();
  transport->check();
  sizes_cross(*transport);
  one_waits(*transport);
  tags_in_any_order(*transport, seed);
  probes(*transport);
  drops(*transport);
  many(*transport, seed, 80);
  teams_are_apart(make);
  meet(*transport);
}

}  // namespace messages
