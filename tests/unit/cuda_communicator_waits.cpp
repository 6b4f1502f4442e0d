// How members of communicators wait for each other, on the stand-ins for the driver and for NCCL:
// the first time in a thread, which is given up in time; and where NCCL does not block.
#include <dlfcn.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "communicators.hpp"
#include "cuda/backend.hpp"
#include "cuda_fake.hpp"
#include "fake_nccl.h"

using namespace gpuarr;
using communicators::Memory;
using communicators::Party;
using fake::in_child;
using fake::Setting;

namespace {

using Members = std::vector<std::unique_ptr<Communicator>>;

int64_t told(const char* name) {
  void* library = dlopen(std::getenv("GPUARR_NCCL"), RTLD_NOW);
  return reinterpret_cast<fake_nccl_live_fn*>(dlsym(library, name))();
}
int64_t live() { return told("fake_nccl_live"); }

std::vector<Device*> two_gpus() { return {&cuda::open_device(0), &cuda::open_device(1)}; }

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Members join_as(const CommunicatorId& id, int rank, const Patience& patience) {
  const CommunicatorMember member{&cuda::open_device(rank), rank};
  return member.device->join(id, 2, {&member, 1}, patience);
}

constexpr const char* in_vain =
    "rank 0 of 2 waited 0.05 s in vain for other members of NCCL's communicator; all of them must "
    "make the same calls in the same order";

void gives_up_joining() {
  const auto new_id = [] { return cuda::open_device(0).communicator_id(); };
  int polls = 0;
  const double seconds = seconds_of([&] {
    CHECK_FAILS(GPUARR_ERR_TIMEOUT, in_vain, [&] {
      join_as(new_id(), 0, {0.05, [&] { ++polls; }});
    });
  });
  CHECK(seconds >= 0.05 && seconds < 5);
  CHECK(polls > 10);
  CHECK_EQ(live(), 0);
  const auto gone = [] { fail(GPUARR_ERR_PEER, "rank 1 is gone"); };
  CHECK_FAILS(GPUARR_ERR_PEER, "rank 1 is gone", [&] { join_as(new_id(), 0, {60, gone}); });
  bool passed = false;
  try {
    join_as(new_id(), 0, {60, [] { throw std::range_error("another"); }});
  } catch (const std::range_error&) {
    passed = true;
  }
  CHECK(passed);
  CHECK_EQ(live(), 0);
}

// Members of two processes, which two threads are here.
void meets_late() {
  const CommunicatorId id = cuda::open_device(0).communicator_id();
  const auto work = [&](int rank) {
    Members members = join_as(id, rank, {20, {}});
    Device& device = cuda::open_device(rank);
    const auto stream = device.create_stream(0);
    Memory memory(device, *stream, 4);
    memory.write(std::vector<int>{rank + 5});
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    CHECK(
        members[0]->all_reduce(memory.data(), memory.data(), 1, DType::i32, Combine::sum, *stream));
    CHECK_EQ(memory.read<int>()[0], 11);
    members[0]->finish();
  };
  const int64_t before = told("fake_nccl_waits");
  std::thread second([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    work(1);
  });
  work(0);
  second.join();
  CHECK(told("fake_nccl_waits") > before || told("fake_nccl_blocking") == 0);
  CHECK_EQ(live(), 0);
}

// A message that nobody takes: where members meet, and where they know each other.
void gives_up_messages() {
  Party party(two_gpus(), {0.05, {}});
  Memory memory(*party.devices[0], *party.streams[0], 16);
  communicators::check_broadcast(party, 16, 1);
  const auto receive = [&] { party.members[0]->receive(memory.data(), 16, 1, *party.streams[0]); };
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, in_vain, receive);
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, in_vain, receive);  // at once
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, in_vain, [&] { party.members[1]->check(); });
  CHECK_EQ(live(), 0);

  Party others(two_gpus(), {0.05, {}});
  others.members[0]->set_patience({60, [] { fail(GPUARR_ERR_PEER, "rank 1 is gone"); }});
  CHECK_FAILS(GPUARR_ERR_PEER, "rank 1 is gone",
              [&] { others.members[0]->receive(memory.data(), 16, 1, *others.streams[0]); });
  CHECK_EQ(live(), 0);
}

// Who is called meanwhile may abort, whether he throws then or not.
void may_be_aborted_meanwhile() {
  for (const bool throws : {false, true}) {
    Party party(two_gpus());
    Memory memory(*party.devices[0], *party.streams[0], 16);
    party.members[0]->set_patience({60, [&] {
                                      party.members[1]->abort();
                                      if (throws) fail(GPUARR_ERR_PEER, "rank 1 is gone");
                                    }});
    CHECK_FAILS(GPUARR_ERR_PEER, throws ? "rank 1 is gone" : "the communicator was aborted",
                [&] { party.members[0]->receive(memory.data(), 16, 1, *party.streams[0]); });
    CHECK_FAILS(GPUARR_ERR_PEER, "the communicator was aborted",
                [&] { party.members[0]->check(); });
    CHECK_EQ(live(), 0);
  }
}

void leaves_known_messages_to_streams() {
  Party party(two_gpus(), {60, {}});
  auto memory = party.allocate(16);
  communicators::check_ring(party, 16);
  const auto alone = [&](int k, bool sends) {
    if (sends)
      party.members[k]->send(memory[k]->data(), 16, 1 - k, *party.streams[k]);
    else
      party.members[k]->receive(memory[k]->data(), 16, 1 - k, *party.streams[k]);
  };
  memory[1]->write(communicators::bytes_of(1, 16));
  const int64_t before = told("fake_nccl_waits");
  alone(0, false);
  alone(1, true);
  CHECK(memory[0]->read<uint8_t>() == communicators::bytes_of(1, 16));
  alone(0, false);
  CHECK_EQ(told("fake_nccl_waits"), before);
  party.members[0]->abort();
  CHECK_EQ(live(), 0);
}

void passes_differences_on() {
  Party party(two_gpus(), {60, {}});
  auto memory = party.allocate(16);
  party.together([&](Communicator& member, Stream& stream, int k) {
    member.broadcast(memory[k]->data(), 8 + k, 0, stream);
  });
  CHECK_FAILS(GPUARR_ERR_DRIVER, "NCCL's communicator failed: ncclInvalidUsage (5)",
              [&] { party.members[0]->check(); });
}

// Before 2.22, what waits in a call cannot be told to end: such a NCCL is not let wait.
void polls_old_versions() {
  const Setting old("FAKE_NCCL_VERSION", "21403");
  int polls = 0;
  {
    Party party(two_gpus(), {60, [&] { ++polls; }});
    CHECK_EQ(told("fake_nccl_blocking"), 0);
    CHECK_EQ(party.members[0]->description(), "NCCL 2.14.3");
    constexpr int64_t sizes[] = {1, 300};
    communicators::check_sizes(party, sizes);
    communicators::check_all_types(party, 5);
    polls = 0;
    const Setting slow("FAKE_NCCL_PROGRESS", "100");
    communicators::check_ring(party, 16);
    CHECK(polls >= 100);
    party.members[0]->finish();
    CHECK_EQ(live(), 0);
  }
  gives_up_joining();
  gives_up_messages();
  may_be_aborted_meanwhile();
  meets_late();
  Party party(two_gpus(), {60, {}});
  const Setting failing("FAKE_NCCL_ASYNC", "2");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "a call of NCCL's failed: ncclSystemError (2)",
              [&] { communicators::check_ring(party, 16); });
  CHECK_EQ(live(), 0);
}

}  // namespace

int main() {
  fake::require();
  const Setting two("FAKE_CUDA_DEVICES", "2");
  in_child("old versions", polls_old_versions);
  gives_up_joining();
  meets_late();
  gives_up_messages();
  may_be_aborted_meanwhile();
  leaves_known_messages_to_streams();
  passes_differences_on();
  CHECK_EQ(live(), 0);
  return check::result();
}
