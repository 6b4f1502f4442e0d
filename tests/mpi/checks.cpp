#include "checks.h"

#include <thread>

#include "c/team_handles.hpp"
#include "check.hpp"
#include "seed.hpp"
#include "team/transport/mpi.hpp"
#include "team_messages.hpp"

using namespace gpuarr;
using namespace gpuarr::team;

namespace {

std::unique_ptr<Transport> kept[8];

// What fails ends the process, and MPI's launcher the others: they would wait.
template <class Body>
void run(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    check::report(__FILE__, __LINE__)
        << status_name(error.status()) << ": " << error.what() << '\n';
    std::_Exit(1);
  }
}

uint64_t seed() {
  static const uint64_t value = test_seed();
  return value;
}

}  // namespace

void check_comm(const void* comm, size_t bytes, int64_t part) {
  run([&] {
    messages::all_of_it([&] { return mpi_transport(comm, bytes, part > 0 ? part : mpi_part); },
                        seed());
  });
}

void check_fortran(int32_t comm) {
  run([&] { messages::all_of_it([&] { return mpi_transport_of_fortran(comm); }, seed()); });
}

void check_table(gpuarr_transport* transport) {
  run([&] {
    messages::all_of_it([&] { return table_transport(deref(transport, "transport")); }, seed());
  });
}

void keep_transport(int place, const void* comm, size_t bytes) {
  run([&] { kept[place] = mpi_transport(comm, bytes); });
}

void keep_fortran(int place, int32_t comm) {
  run([&] { kept[place] = mpi_transport_of_fortran(comm); });
}

void check_kept(int place, int rank, int size, int32_t fortran) {
  CHECK_EQ(kept[place]->rank(), rank);
  CHECK_EQ(kept[place]->size(), size);
  CHECK_EQ(kept[place]->fortran_handle(), fortran);
}

void exchange_on_kept(int place) {
  run([&] {
    messages::sizes_cross(*kept[place]);
    messages::meet(*kept[place]);
  });
}

void drop_on_kept(int place) {
  run([&] {
    auto memory = std::make_shared<messages::Bytes>(100);
    Request request = kept[place]->receive(memory->data(), 100, kept[place]->rank(), 6);
    kept[place]->drop(request, memory);
    CHECK_EQ(memory.use_count(), 2);
  });
}

void kept_is_over(int place, const char* name) {
  Transport& transport = *kept[place];
  CHECK(transport.description().starts_with(name));
  const std::string message =
      transport.description() + " was finalised; nothing can be sent any more";
  char byte = 0;
  int from = 0;
  CHECK_FAILS(GPUARR_ERR_PEER, message.c_str(), [&] { transport.check(); });
  CHECK_FAILS(GPUARR_ERR_PEER, message.c_str(), [&] { transport.send(&byte, 1, 0, 0); });
  CHECK_FAILS(GPUARR_ERR_PEER, message.c_str(), [&] { transport.receive(&byte, 1, 0, 0); });
  CHECK_FAILS(GPUARR_ERR_PEER, message.c_str(), [&] { transport.probe(0, from); });
  transport.abort(3);  // does nothing
}

void release_kept(int place) { kept[place].reset(); }

void check_refused(const void* comm, size_t bytes, int32_t status, const char* message) {
  CHECK_FAILS(status, message, [&] { mpi_transport(comm, bytes); });
}

void check_fortran_refused(int32_t comm, const char* message) {
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, message, [&] { mpi_transport_of_fortran(comm); });
}

void check_bad_rank(const void* comm, size_t bytes, const char* message) {
  run([&] {
    const auto transport = mpi_transport(comm, bytes);
    char byte = 0;
    try {
      transport->send(&byte, 1, 9999, 0);
      CHECK(!"there is no process 9999");
    } catch (const Error& error) {
      CHECK_EQ(error.status(), GPUARR_ERR_PEER);
      CHECK(error.native() != 0);
      CHECK(std::strstr(error.what(), "MPI_Isend failed: ") != nullptr);
      if (std::strstr(error.what(), message) == nullptr)
        check::report(__FILE__, __LINE__) << error.what() << '\n';
    }
    messages::sizes_cross(*transport);
  });
}

void check_sizes_differ(const void* comm, size_t bytes) {
  run([&] {
    const auto transport = mpi_transport(comm, bytes);
    char data[16] = {}, other[16] = {};
    Request out = transport->send(data, 8, transport->rank(), 0);
    Request in = transport->receive(other, 16, transport->rank(), 0);
    const std::string message =
        formatted("rank {} sent 8 bytes where 16 were expected", transport->rank());
    CHECK_FAILS(GPUARR_ERR_MISMATCH, message.c_str(), [&] { messages::finish(*transport, in); });
    messages::finish(*transport, out);
    // MPICH asks the world's error handler, which is the program's, whether to end all.
    if (!transport->description().starts_with("Open MPI")) return;
    out = transport->send(data, 16, transport->rank(), 0);
    in = transport->receive(other, 8, transport->rank(), 0);
    CHECK_FAILS(GPUARR_ERR_PEER, "MPI_Test failed: ", [&] { messages::finish(*transport, in); });
    messages::finish(*transport, out);
  });
}

void check_threads(const void* comm, size_t bytes, int allowed) {
  run([&] {
    std::unique_ptr<Transport> teams[2] = {mpi_transport(comm, bytes), mpi_transport(comm, bytes)};
    std::vector<std::thread> threads;
    for (auto& team : teams)
      threads.emplace_back([&] {
        const auto work = [&] { messages::many(*team, seed(), 60); };
        if (allowed != 0)
          run(work);
        else
          CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "ask MPI_Init_thread for MPI_THREAD_SERIALIZED",
                      work);
      });
    for (std::thread& thread : threads) thread.join();
  });
}

double ping_pong(const void* comm, size_t bytes, int count) {
  double seconds = 0;
  run([&] {
    const auto transport = mpi_transport(comm, bytes);
    if (transport->rank() > 1) return;
    const int other = 1 - transport->rank();
    int64_t out = 1, in = 0;
    const auto half = [&](bool sends) {
      Request request =
          sends ? transport->send(&out, 8, other, 0) : transport->receive(&in, 8, other, 0);
      while (!transport->test(request)) {
      }
    };
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < count; ++k) {
      half(transport->rank() == 0);
      half(transport->rank() == 1);
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  return seconds / count * 1e6;
}

int checks_result(void) { return check::result(); }
