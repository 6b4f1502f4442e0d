// Communicators between all GPUs of a machine, if $GPUARR_TEST_DEVICE is one: in one process, which
// NCCL lets wait or not, and between two, of which one is killed.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>

#include "backends.hpp"
#include "communicators.hpp"
#include "gpuarr/device.h"
#include "processes.hpp"

using namespace gpuarr;
using communicators::Memory;
using communicators::Party;

namespace {

constexpr int most_gpus = 8;
constexpr unsigned longest_seconds = 280;  // of a process

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void sleep_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::vector<Device*> all_gpus() {
  std::vector<Device*> devices;
  for (int k = 0; k < std::min(most_gpus, device_count(GPUARR_DEVICE_CUDA)); ++k)
    devices.push_back(&open_device(GPUARR_DEVICE_CUDA, k));
  return devices;
}

// What lies in two streams is in the order of the calls, for NCCL sees to that.
void uses_two_streams(Party& party) {
  constexpr int64_t bytes = (1 << 20) + 4;
  constexpr int rounds = 10;
  const int n = party.size();
  auto from = party.allocate(bytes);
  auto to = party.allocate(bytes);
  auto ones = party.allocate(bytes);
  const std::vector<std::shared_ptr<Stream>> first = party.streams;
  party.use_other_streams();
  for (int k = 0; k < n; ++k) {
    from[k]->write(communicators::bytes_of(k, bytes));
    ones[k]->write(std::vector<float>(bytes / 4, 1.0F));
  }
  for (int round = 0; round < rounds; ++round)
    party.together([&](Communicator& member, Stream& stream, int k) {
      Stream& other = *first[static_cast<size_t>(k)];
      member.send(from[k]->data(), bytes, (k + 1) % n, stream);
      member.receive(to[k]->data(), bytes, (k + n - 1) % n, stream);
      member.all_reduce(ones[k]->data(), ones[k]->data(), bytes / 4, DType::f32, Combine::sum,
                        round % 2 == 0 ? stream : other);
    });
  for (const auto& stream : first) stream->synchronize();
  for (const auto& stream : party.streams) stream->synchronize();
  const auto all = static_cast<float>(std::pow(n, rounds));
  for (int k = 0; k < n; ++k) {
    CHECK(to[k]->read<uint8_t>() == communicators::bytes_of((k + n - 1) % n, bytes));
    CHECK(ones[k]->read<float>() == std::vector<float>(bytes / 4, all));
  }
}

// Where all know each other, a receive that nobody sends to waits in its stream.
void aborts_what_waits(const std::vector<Device*>& devices) {
  Party party(devices, {20, {}});
  communicators::check_ring(party, 1024);
  Memory memory(*devices[0], *party.streams[0], 1024);
  party.members[0]->receive(memory.data(), 1024, party.size() - 1, *party.streams[0]);
  sleep_for(50);
  CHECK(!party.streams[0]->query());
  party.members[0]->check();  // nothing is known to be wrong
  const double seconds = seconds_of([&] {
    party.members.back()->abort();
    party.streams[0]->synchronize();
  });
  CHECK(seconds < 10);
  std::cout << "aborted in " << seconds << " s\n";
  CHECK_FAILS(GPUARR_ERR_PEER, "the communicator was aborted",
              [&] { communicators::check_ring(party, 1024); });
}

// Where they meet for the first time, the call waits.
void gives_up_meeting(const std::vector<Device*>& devices) {
  Party party(devices, {2, {}});
  Memory memory(*devices[0], *party.streams[0], 1024);
  const double seconds = seconds_of([&] {
    CHECK_FAILS(GPUARR_ERR_TIMEOUT, "waited 2 s in vain",
                [&] { party.members[0]->receive(memory.data(), 1024, 1, *party.streams[0]); });
  });
  CHECK(seconds >= 2 && seconds < 12);
  std::cout << "gave up a message after " << seconds << " s\n";
  for (const auto& stream : party.streams) stream->synchronize();
}

void gives_up_joining(Device& device) {
  const CommunicatorMember member{&device, 0};
  const CommunicatorId id = device.communicator_id();
  const double seconds = seconds_of([&] {
    CHECK_FAILS(GPUARR_ERR_TIMEOUT, "rank 0 of 2 waited 2 s in vain", [&] {
      device.join(id, 2, {&member, 1}, {2, {}});
    });
  });
  CHECK(seconds >= 2 && seconds < 12);
  std::cout << "gave up joining after " << seconds << " s\n";
  device.synchronize();
}

void all_in_one() {
  const std::vector<Device*> devices = all_gpus();
  constexpr int64_t sizes[] = {1, 7, 4096, (1 << 20) + 3, 64 << 20};
  {
    Party alone({devices[0]});
    communicators::check_sizes(alone, sizes);
    communicators::check_all_types(alone, 1000);
    std::cout << alone.members[0]->description() << ", " << devices.size() << " GPUs\n";
  }
  if (devices.size() < 2) {
    std::cout << "skipped: groups of several, for there is one GPU\n";
    return;
  }
  CHECK(devices[0]->facts().identity != devices[1]->facts().identity);
  {
    Party party(devices);
    communicators::check_sizes(party, sizes);
    communicators::check_all_types(party, 100003);
    uses_two_streams(party);
    party.members[0]->finish();
  }
  aborts_what_waits(devices);
  gives_up_meeting(devices);
  gives_up_joining(*devices[0]);
  Party again(devices);
  communicators::check_ring(again, 1024);
}

// One of two processes; the id comes through a pipe.
std::vector<std::unique_ptr<Communicator>> join_as(int rank, const int (&pipe)[2]) {
  Device& device = open_device(GPUARR_DEVICE_CUDA, rank);
  CommunicatorId id{};
  if (rank == 0) {
    id = device.communicator_id();
    CHECK_EQ(::write(pipe[1], id.data(), id.size()), static_cast<ssize_t>(id.size()));
  } else {
    CHECK_EQ(::read(pipe[0], id.data(), id.size()), static_cast<ssize_t>(id.size()));
  }
  const CommunicatorMember member{&device, rank};
  return device.join(id, 2, {&member, 1}, {20, {}});
}

// The second process dies while the first waits for it: in a stream, and where they would meet.
void first_of_two(const int (&pipe)[2], pid_t other) {
  auto members = join_as(0, pipe);
  Device& device = open_device(GPUARR_DEVICE_CUDA, 0);
  const auto stream = device.create_stream(0);
  Memory memory(device, *stream, 4);
  memory.write(std::vector<int>{5});
  members[0]->all_reduce(memory.data(), memory.data(), 1, DType::i32, Combine::sum, *stream);
  CHECK_EQ(memory.read<int>()[0], 11);
  ::kill(other, SIGKILL);
  members[0]->all_reduce(memory.data(), memory.data(), 1, DType::i32, Combine::sum, *stream);
  sleep_for(500);
  CHECK(!stream->query());
  members[0]->set_patience({2, {}});
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, "waited 2 s in vain",
              [&] { members[0]->receive(memory.data(), 4, 1, *stream); });
  const double seconds = seconds_of([&] { stream->synchronize(); });
  CHECK(seconds < 10);
  std::cout << "the stream ended " << seconds << " s after a process was given up\n";
}

void second_of_two(const int (&pipe)[2]) {
  auto members = join_as(1, pipe);
  Device& device = open_device(GPUARR_DEVICE_CUDA, 1);
  const auto stream = device.create_stream(0);
  Memory memory(device, *stream, 4);
  memory.write(std::vector<int>{6});
  members[0]->all_reduce(memory.data(), memory.data(), 1, DType::i32, Combine::sum, *stream);
  CHECK_EQ(memory.read<int>()[0], 11);
  sleep_for(60000);
}

// 0 where NCCL, without which they are of no use here, was not found.
int count_gpus() {
  try {
    open_device(GPUARR_DEVICE_CUDA, 0).communicator_id();
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_NO_LIBRARY) throw;
    std::cerr << error.what() << '\n';
    return 0;
  }
  return device_count(GPUARR_DEVICE_CUDA);
}

pid_t start(const std::function<void()>& body) {
  return start_process([&] {
    ::alarm(longest_seconds);
    try {
      body();
    } catch (const Error& error) {
      check::report(__FILE__, __LINE__) << error.what() << '\n';
    }
    std::cout.flush();
    return 0;
  });
}

void in_two_processes() {
  int pipe[2] = {};
  CHECK_EQ(::pipe(pipe), 0);
  const pid_t second = start([&] { second_of_two(pipe); });
  CHECK_EQ(end_process(start([&] { first_of_two(pipe, second); })), 0);
  CHECK_EQ(end_process(second), -1);  // it was killed
}

}  // namespace

// CUDA is used in processes of their own: it does not work in the children of one that used it.
int main() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  if (name == nullptr || std::string(name).rfind("cuda", 0) != 0) {
    std::cout << "skipped: $GPUARR_TEST_DEVICE is no GPU\n";
    return 77;
  }
  const int gpus = end_process(start_process(count_gpus));
  if (gpus == 0) {
    std::cout << "skipped: there is no NCCL\n";
    return 77;
  }
  CHECK_EQ(end_process(start(all_in_one)), 0);
  ::setenv("NCCL_COMM_BLOCKING", "0", 1);
  CHECK_EQ(end_process(start(all_in_one)), 0);
  ::unsetenv("NCCL_COMM_BLOCKING");
  if (gpus > 1) in_two_processes();
  return check::result();
}
