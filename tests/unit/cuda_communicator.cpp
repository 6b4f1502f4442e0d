// Communicators of GPUs, on the stand-ins for the driver and for NCCL: what they send, how they
// end, and what is said where NCCL is missing or fails.
#include <dlfcn.h>

#include <filesystem>

#include "communicators.hpp"
#include "cuda/backend.hpp"
#include "cuda/device/device.hpp"
#include "cuda/driver/locate.hpp"
#include "cuda/libraries/nccl.hpp"
#include "cuda_fake.hpp"
#include "device/pool.hpp"
#include "fake_nccl.h"
#include "temporary_directory.hpp"

using namespace gpuarr;
using communicators::Memory;
using communicators::Party;
using fake::in_child;
using fake::Setting;

namespace {

int64_t told(const char* name) {
  void* library = dlopen(std::getenv("GPUARR_NCCL"), RTLD_NOW);
  return reinterpret_cast<fake_nccl_live_fn*>(dlsym(library, name))();
}
int64_t live() { return told("fake_nccl_live"); }

std::vector<Device*> gpus(int count) {
  std::vector<Device*> devices;
  for (int k = 0; k < count; ++k) devices.push_back(&cuda::open_device(k));
  return devices;
}

void sends_everything() {
  constexpr int64_t sizes[] = {0, 1, 3, 256, 100000};
  for (const int count : {1, 2, 3, 4}) {
    Party party(gpus(count));
    CHECK_EQ(live(), count);
    CHECK_EQ(party.members[0]->description(), "NCCL 2.28.9");
    communicators::check_sizes(party, sizes);
    communicators::check_all_types(party, 37);
    for (const auto& member : party.members) {
      CHECK(member->native() != nullptr);
      member->check();
    }
  }
  CHECK_EQ(live(), 0);
}

// Each call alone is a group, and one that is made again needs no thread that waits.
void sends_to_itself() {
  Party alone(gpus(1));
  Memory memory(*alone.devices[0], *alone.streams[0], 16);
  const auto broadcast = [&] {
    const int64_t before = fake::calls("cuCtxSetCurrent");
    alone.members[0]->broadcast(memory.data(), 16, 0, *alone.streams[0]);
    return fake::calls("cuCtxSetCurrent") - before;  // by threads that have none yet
  };
  CHECK_EQ(broadcast(), 1);
  CHECK_EQ(broadcast(), 0);
  const int64_t before = fake::calls("cuCtxGetCurrent");
  alone.members[0]->broadcast(memory.data(), 0, 0, *alone.streams[0]);
  CHECK_EQ(fake::calls("cuCtxGetCurrent"), before);  // nothing to do
}

// What a group that failed had noted is none of the next one's.
void forgets_open_groups() {
  Party party(gpus(2));
  Memory memory(*party.devices[0], *party.streams[0], 16);
  party.members[0]->begin_group();
  party.members[0]->receive(memory.data(), 16, 1, *party.streams[0]);
  communicators::check_ring(party, 16);
  party.members[1]->end_group();  // nothing is in it
}

void ends_with_the_last() {
  Party party(gpus(3));
  CHECK_EQ(told("fake_nccl_blocking"), 1);
  const int64_t before = told("fake_nccl_aborted");
  party.members[1].reset();
  CHECK_EQ(live(), 3);
  party.members[0].reset();
  party.members[2]->check();
  party.members[2].reset();
  CHECK_EQ(live(), 0);
  CHECK_EQ(told("fake_nccl_aborted"), before + 3);
}

void refuses_after(Party& party, gpuarr_status status, const char* part) {
  Memory memory(*party.devices[0], *party.streams[0], 16);
  CHECK_FAILS(status, part,
              [&] { party.members[0]->broadcast(memory.data(), 16, 0, *party.streams[0]); });
  CHECK_FAILS(status, part, [&] { party.members.back()->check(); });
  CHECK_FAILS(status, part, [&] { party.members[0]->finish(); });
  CHECK(party.members[0]->native() == nullptr);
  party.members[0]->abort();
  CHECK_EQ(live(), 0);
}

void finishes_and_aborts() {
  {
    Party party(gpus(2));
    const int64_t before = told("fake_nccl_finalized");
    party.members[1]->finish();
    CHECK_EQ(told("fake_nccl_finalized"), before + 2);
    refuses_after(party, GPUARR_ERR_PEER, "the communicator is finished");
  }
  Party party(gpus(2));
  party.members[1]->abort();
  refuses_after(party, GPUARR_ERR_PEER, "the communicator was aborted");
}

// A call that fails, as NCCL says it, ends the communicator.
void fails_with(const char* call, int result, gpuarr_status status, const char* part) {
  Party party(gpus(2));
  communicators::check_ring(party, 8);
  const Setting failing("FAKE_NCCL_FAIL", formatted("{}:{}", call, result));
  auto memory = party.allocate(16);
  int native = 0;
  CHECK_FAILS(status, part, [&] {
    try {
      party.together([&](Communicator& member, Stream& stream, int k) {
        member.send(memory[k]->data(), 8, 1 - k, stream);
        member.receive(memory[k]->data(), 8, 1 - k, stream);
        member.all_gather(memory[k]->data(), memory[k]->at(8 * k), 8, stream);
        member.broadcast(memory[k]->data(), 8, 0, stream);
        member.all_reduce(memory[k]->data(), memory[k]->data(), 2, DType::f32, Combine::sum,
                          stream);
      });
    } catch (const Error& error) {
      native = error.native();
      throw;
    }
  });
  CHECK_EQ(native, result);
  refuses_after(party, status, part);
}

void passes_failures_on() {
  fails_with("ncclSend", 1, GPUARR_ERR_DRIVER,
             "ncclSend failed: ncclUnhandledCudaError (1): near; NCCL's last message: told to");
  fails_with("ncclRecv", 2, GPUARR_ERR_DRIVER, "ncclRecv failed: ncclSystemError (2)");
  fails_with("ncclAllGather", 3, GPUARR_ERR_DRIVER, "ncclAllGather failed: ncclInternalError (3)");
  fails_with("ncclBroadcast", 4, GPUARR_ERR_DRIVER, "ncclInvalidArgument (4)");
  fails_with("ncclAllReduce", 5, GPUARR_ERR_DRIVER, "ncclInvalidUsage (5)");
  fails_with("ncclGroupEnd", 6, GPUARR_ERR_PEER, "ncclGroupEnd failed: ncclRemoteError (6): far");
  fails_with("ncclGroupEnd", 99, GPUARR_ERR_DRIVER, "ncclGroupEnd failed: NCCL (99): near");
  const auto join_fails = [](const char* call, const char* part) {
    const Setting failing("FAKE_NCCL_FAIL", call);
    CHECK_FAILS(GPUARR_ERR_DRIVER, part, [] { const Party party(gpus(2)); });
    CHECK_EQ(live(), 0);
  };
  join_fails("ncclGetUniqueId:2", "ncclGetUniqueId failed: ncclSystemError (2)");
  join_fails("ncclCommInitRankConfig:3", "ncclCommInitRankConfig failed: ncclInternalError (3)");
}

void tells_of_members() {
  Party party(gpus(2));
  {
    const Setting lost("FAKE_NCCL_ASYNC", "6");
    CHECK_FAILS(GPUARR_ERR_PEER, "NCCL's communicator failed: ncclRemoteError (6): far",
                [&] { party.members[1]->check(); });
  }
  {
    const Setting busy("FAKE_NCCL_ASYNC", "7");
    party.members[1]->check();  // it goes on
  }
  communicators::check_ring(party, 8);  // asking has changed nothing
}

// Where a kernel faulted, the driver says so.
void tells_of_faults() {
  Party party(gpus(2));
  communicators::check_ring(party, 8);
  const Setting failing("FAKE_NCCL_FAIL", "ncclGroupEnd:1");
  const Setting lost("FAKE_CUDA_FAIL", "cuMemGetInfo:700");
  CHECK_FAILS(GPUARR_ERR_FAULT, "ncclGroupEnd failed: CUDA_ERROR_ILLEGAL_ADDRESS",
              [&] { communicators::check_ring(party, 8); });
}

void refuses_captures() {
  Party party(gpus(1));
  Memory memory(*party.devices[0], *party.streams[0], 16);
  party.streams[0]->begin_capture();
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "stream is being captured",
              [&] { party.members[0]->broadcast(memory.data(), 16, 0, *party.streams[0]); });
  party.streams[0]->end_capture();
  communicators::check_ring(party, 16);
}

// NCCL takes memory from the driver: what the pool only keeps is given back before.
void makes_room() {
  Device& device = cuda::open_device(0);
  Stream& stream = device.own_stream();
  const auto keep_some = [&] {
    device.pool().deallocate(device.pool().allocate(1 << 20, stream), stream);
    CHECK(device.pool().statistics().cached > 0);
  };
  keep_some();
  {
    const Setting large("FAKE_CUDA_OOM_AFTER", "2000000000");
    const Party party(gpus(1));
    CHECK(device.pool().statistics().cached > 0);
  }
  Party party(gpus(1));
  CHECK_EQ(device.pool().statistics().cached, 0);
  keep_some();
  communicators::check_ring(party, 16);
  CHECK_EQ(device.pool().statistics().cached, 0);
  keep_some();
  auto stream_that_is_captured = device.create_stream(0);
  stream_that_is_captured->begin_capture();
  communicators::check_ring(party, 16);
  communicators::check_broadcast(party, 16, 0);  // there may be enough
  stream_that_is_captured->end_capture();
}

bool finds_nccl() {
  try {
    return cuda::nccl().version > 0;
  } catch (const Error&) {
    return false;
  }
}

void says_what_is_missing() {
  const auto fails = [](const char* part) {
    CHECK_FAILS(GPUARR_ERR_NO_LIBRARY, part, [] { cuda::open_device(0).communicator_id(); });
  };
  in_child("missing", [&] {
    const Setting nowhere("GPUARR_NCCL", "/nowhere");
    fails("$GPUARR_NCCL cannot be opened: /nowhere");
    fails("it should be the file of libnccl.so.2");
  });
  in_child("not there", [&] {
    unsetenv("GPUARR_NCCL");
    if (finds_nccl()) return;  // the machine has one
    fails(
        "NCCL, which sends between GPUs (libnccl.so.2) was not found; install libnccl2 or by pip "
        "nvidia-nccl-cu13 or nvidia-nccl-cu12, or set $GPUARR_NCCL to its file; looked in ");
  });
  in_child("another library", [&] {
    const Setting other("GPUARR_NCCL", "libm.so.6");
    fails("has no ncclGetVersion; NCCL 2.14 or newer is needed: install libnccl2");
  });
  for (const auto& [number, text] :
       {std::pair("21304", "is NCCL 2.13.4; 2.14 or newer is needed: install libnccl2"),
        std::pair("2708", "is NCCL 2.7.8; 2.14 or newer")})
    in_child(text, [&, wanted = number, part = text] {
      const Setting old("FAKE_NCCL_VERSION", wanted);
      fails(part);
    });
}

void looks_in_environments() {
  in_child("an environment", [] {
    const Setting environment("VIRTUAL_ENV", "/nowhere/venv");
    const Setting home("HOME", "/nowhere/home");
    unsetenv("GPUARR_NCCL");
    const cuda::ToolkitLibrary none{.title = "Nothing",
                                    .setting = "GPUARR_NCCL",
                                    .sonames = {"libnothing.so.2"},
                                    .packages = {"libnothing2"},
                                    .wheel = "nvidia/nothing/lib"};
    for (const char* place : {"/nowhere/venv", "/nowhere/home/.local", "/usr/local", "/usr"})
      CHECK_FAILS(GPUARR_ERR_NO_LIBRARY,
                  formatted("{}/lib/python3*/*-packages/nvidia/nothing/lib", place).c_str(),
                  [&] { cuda::open_toolkit(none); });
  });
}

void finds_wheels() {
  in_child("a wheel", [] {
    const TemporaryDirectory environment;
    const std::string folder = environment / "lib/python3.11/site-packages/nvidia/nccl/lib";
    std::filesystem::create_directories(folder);
    std::filesystem::create_symlink(std::getenv("GPUARR_NCCL"), folder + "/libnccl.so.2");
    unsetenv("GPUARR_NCCL");
    const Setting active("VIRTUAL_ENV", environment.path().string());
    CHECK_EQ(cuda::nccl().version, 22809);
    std::filesystem::remove_all(environment.path());
  });
}

void does_nothing_in_forked_children() {
  Party party(gpus(2));
  in_child("forked", [&] {
    Stream& stream = *party.streams[0];
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked",
                [&] { party.members[0]->broadcast(&party, 16, 0, stream); });
    CHECK_FAILS(GPUARR_ERR_FORKED, "forked", [&] { cuda::open_device(0).communicator_id(); });
    party.members.clear();
    CHECK_EQ(live(), 2);  // they are the parent's
  });
  communicators::check_ring(party, 16);
}

}  // namespace

int main() {
  fake::require();
  const Setting four("FAKE_CUDA_DEVICES", "4");
  says_what_is_missing();
  looks_in_environments();
  finds_wheels();
  in_child("faults", tells_of_faults);
  sends_everything();
  sends_to_itself();
  forgets_open_groups();
  ends_with_the_last();
  finishes_and_aborts();
  passes_failures_on();
  tells_of_members();
  refuses_captures();
  makes_room();
  does_nothing_in_forked_children();
  CHECK_EQ(live(), 0);
  return check::result();
}
