// Messages through sockets: forked children as processes, some of which end before their time.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "check.hpp"
#include "processes.hpp"
#include "seed.hpp"
#include "team/transport/run.hpp"
#include "team/transport/sockets.hpp"
#include "team_messages.hpp"

using namespace gpuarr;
using namespace gpuarr::team;
using messages::Bytes;

namespace {

// Of each process a socket to each other one.
std::vector<std::vector<int>> all_sockets(int count) {
  const auto size = static_cast<size_t>(count);
  std::vector<std::vector<int>> out(size, std::vector<int>(size, -1));
  for (size_t a = 0; a < size; ++a)
    for (size_t b = a + 1; b < size; ++b) {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
      out[a][b] = ends[0];
      out[b][a] = ends[1];
    }
  return out;
}

// Each rank in a process of its own; what they returned.
template <class Body>
std::vector<int> run_ranks(int count, const Body& body) {
  const auto sockets = all_sockets(count);
  std::vector<pid_t> children;
  for (int rank = 0; rank < count; ++rank)
    children.push_back(start_process([&] {
      for (int other = 0; other < count; ++other)
        for (int socket : sockets[static_cast<size_t>(other)])
          if (other != rank && socket >= 0) ::close(socket);
      try {
        Sockets mine(rank, sockets[static_cast<size_t>(rank)]);
        return body(mine);
      } catch (const Error& error) {
        check::report(__FILE__, __LINE__) << "rank " << rank << ": " << error.what() << '\n';
        return 255;
      }
    }));
  for (const auto& row : sockets)
    for (int socket : row)
      if (socket >= 0) ::close(socket);
  std::vector<int> out;
  for (pid_t child : children) out.push_back(end_process(child));
  return out;
}

template <class Body>
void run_well(int count, const Body& body) {
  const std::vector<int> results = run_ranks(count, [&](Sockets& sockets) {
    body(sockets);
    return 0;
  });
  CHECK(results == std::vector<int>(static_cast<size_t>(count), 0));
}

void all_that_transports_do(uint64_t seed) {
  for (int count = 1; count <= (check::sanitized ? 3 : 4); ++count)
    run_well(count, [&](Sockets& sockets) {
      messages::all_of_it([&] { return sockets_transport(sockets); }, seed);
    });
}

// A process that ends is noticed at once, and what it sent before can still be received.
void one_is_gone() {
  const std::vector<int> results = run_ranks(3, [&](Sockets& sockets) {
    const auto transport = sockets_transport(sockets);
    const Bytes small = messages::bytes_of(2, 0, 1, 100);
    if (transport->rank() == 2) {
      for (int to : {0, 1}) messages::send(*transport, small, to, 1);
      const Bytes large(Sockets::most_short + 1);
      transport->send(large.data(), Sockets::most_short + 1, 0, 4);  // announced, and never sent
      return 0;
    }
    const auto start = std::chrono::steady_clock::now();
    Bytes in(100), other(Sockets::most_short + 1);
    auto never = transport->receive(other.data(), 8, 2, 2);
    CHECK_FAILS(GPUARR_ERR_PEER, "rank 2 is gone", [&] { messages::finish(*transport, never); });
    CHECK(never.handle == nullptr);
    messages::receive(*transport, in, 2, 1);
    CHECK(in == small);
    CHECK_FAILS(GPUARR_ERR_PEER, "rank 2 is gone: its process has ended",
                [&] { transport->receive(in.data(), 100, 2, 1); });
    CHECK_FAILS(GPUARR_ERR_PEER, "rank 2 is gone",
                [&] { transport->receive(other.data(), Sockets::most_short + 1, 2, 4); });
    CHECK_FAILS(GPUARR_ERR_PEER, "rank 2 is gone", [&] { transport->send(in.data(), 1, 2, 1); });
    transport->check();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    // The other one is there.
    Bytes token(1);
    const int peer = 1 - transport->rank();
    auto out = transport->send(token.data(), 1, peer, 3);
    messages::receive(*transport, token, peer, 3);
    messages::finish(*transport, out);
    return 0;
  });
  CHECK(results == std::vector<int>({0, 0, 0}));
}

// Also where it ends in the middle of a long message, in either direction, and of dropped ones.
void gone_in_the_middle() {
  constexpr size_t size = size_t{32} << 20;
  for (bool sends : {true, false}) {
    const std::vector<int> results = run_ranks(2, [&](Sockets& sockets) {
      const auto transport = sockets_transport(sockets);
      const int other = 1 - transport->rank();
      Bytes data(size);
      const bool is_sender = (transport->rank() == 1) == sends;
      auto request = is_sender ? transport->send(data.data(), size, other, 0)
                               : transport->receive(data.data(), size, other, 0);
      auto kept = std::make_shared<Bytes>(size);
      const std::weak_ptr<Bytes> memory = kept;
      auto dropped = transport->receive(kept->data(), size, other, 1);
      transport->drop(dropped, std::move(kept));
      if (transport->rank() == 1) {
        for (int k = 0; k < 3; ++k) CHECK(!transport->test(request));
        ::_exit(check::failures > 0 ? 255 : 7);
      }
      CHECK_FAILS(GPUARR_ERR_PEER, "rank 1 is gone",
                  [&] { messages::finish(*transport, request); });
      CHECK(memory.expired());
      return 0;
    });
    CHECK(results == std::vector<int>({0, 7}));
  }
}

// Sizes that differ are told on the side that receives, and for long ones on both.
void sizes_differ() {
  run_well(2, [&](Sockets& sockets) {
    const auto transport = sockets_transport(sockets);
    Bytes data(size_t{1} << 20);
    for (bool is_early : {true, false})
      for (int64_t size : {8, 100000}) {
        if (transport->rank() == 0) {
          if (is_early) messages::meet(*transport);
          auto request = transport->send(data.data(), size, 1, 0);
          if (!is_early) messages::meet(*transport);
          if (size > Sockets::most_short)
            CHECK_FAILS(GPUARR_ERR_MISMATCH, "rank 1 expected 11 bytes where 100000 were sent",
                        [&] { messages::finish(*transport, request); });
          else
            messages::finish(*transport, request);
        } else {
          if (!is_early) messages::meet(*transport);
          auto request = transport->receive(data.data(), 11, 0, 0);
          if (is_early) messages::meet(*transport);
          CHECK_FAILS(GPUARR_ERR_MISMATCH,
                      size == 8 ? "rank 0 sent 8 bytes where 11 were expected"
                                : "rank 0 sent 100000 bytes where 11 were expected",
                      [&] { messages::finish(*transport, request); });
        }
        messages::sizes_cross(*transport);  // all goes on
      }
  });
}

void a_forked_child_is_refused() {
  run_well(2, [&](Sockets& sockets) {
    const auto transport = sockets_transport(sockets);
    const pid_t child = start_process([&] {
      char byte = 0;
      CHECK_FAILS(GPUARR_ERR_FORKED, "this process was forked by process",
                  [&] { transport->check(); });
      CHECK_FAILS(GPUARR_ERR_FORKED, "this process was forked by process",
                  [&] { transport->send(&byte, 1, 0, 0); });
      return 3;
    });
    CHECK_EQ(end_process(child), 3);
    messages::meet(*transport);
  });
}

// Teams of several threads share the sockets.
void threads_share(uint64_t seed) {
  run_well(2, [&](Sockets& sockets) {
    std::vector<std::unique_ptr<Transport>> teams;
    for (int k = 0; k < 3; ++k) teams.push_back(sockets_transport(sockets));
    std::vector<std::thread> threads;
    for (auto& team : teams) threads.emplace_back([&] { messages::many(*team, seed, 300); });
    for (std::thread& thread : threads) thread.join();
  });
}

void ends_all() {
  const auto results = run_ranks(1, [&](Sockets& sockets) {
    const auto transport = sockets_transport(sockets);
    CHECK_EQ(transport->description(), "sockets of gpuarr run");
    CHECK_EQ(transport->fortran_handle(), -1);
    transport->abort(9);
    return 0;
  });
  CHECK_EQ(results[0], 9);
}

// What gpuarr run says is taken if it is true, and told if it is not.
void started_by_run() {
  const auto sockets = all_sockets(2);
  const auto told = [&](const char* rank, const char* size, const std::string& descriptors) {
    ::setenv("GPUARR_RUN_RANK", rank, 1);
    ::setenv("GPUARR_RUN_SIZE", size, 1);
    ::setenv("GPUARR_RUN_FDS", descriptors.c_str(), 1);
  };
  const auto named = [&](int socket) {
    struct stat facts = {};
    ::fstat(socket, &facts);
    return std::to_string(socket) + "/" + std::to_string(facts.st_ino);
  };
  CHECK(run_transport() == nullptr);
  told("0", "2", "-");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_RUN_FDS \"-\", which do not go together",
              [] { run_transport(); });
  told("2", "2", "3/4,5/6");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_RUN_RANK is 2", [] { run_transport(); });
  for (const std::string& wrong :
       {"-," + std::to_string(sockets[0][1]) + "/7", std::string("-,99/7"), std::string("-,-"),
        "-," + named(STDERR_FILENO), std::string("-,no")}) {
    told("0", "2", wrong);
    CHECK_FAILS(GPUARR_ERR_PEER, "process 0 of gpuarr run has lost its socket to process 1",
                [] { run_transport(); });
  }
  told("zero", "2", "");
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "$GPUARR_RUN_RANK is \"zero\"; leave it to gpuarr run",
              [] { run_transport(); });
  std::vector<pid_t> children;
  for (size_t rank = 0; rank < 2; ++rank)
    children.push_back(start_process([&] {
      const std::string other = named(sockets[rank][1 - rank]);
      told(rank == 0 ? "0" : "1", "2", rank == 0 ? "-," + other : other + ",-");
      const auto first = run_transport(), second = run_transport();
      CHECK_EQ(first->rank(), static_cast<int>(rank));
      CHECK(::fcntl(sockets[rank][1 - rank], F_GETFD) == FD_CLOEXEC);
      messages::sizes_cross(*first);
      messages::sizes_cross(*second);
      return 0;
    }));
  for (pid_t child : children) CHECK_EQ(end_process(child), 0);
}

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  all_that_transports_do(seed);
  one_is_gone();
  gone_in_the_middle();
  sizes_differ();
  a_forked_child_is_refused();
  threads_share(seed);
  ends_all();
  started_by_run();
  return check::result();
}
