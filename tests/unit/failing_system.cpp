// What the library does where the system has no memory, or refuses files, and what it does about
// what the dead left. tests/faults lets everything fail in turn; these are the places that did.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <future>
#include <new>
#include <utility>

#include "check.hpp"
#include "core/file.hpp"
#include "core/scratch.hpp"
#include "device/capture.hpp"
#include "device/compile.hpp"
#include "device/function_allocator.hpp"
#include "device/graph.hpp"
#include "device/memory_hooks.hpp"
#include "device/pinned_pool.hpp"
#include "failing_new.hpp"
#include "gpuarr.h"
#include "host/backend.hpp"
#include "host/compile/compiler.hpp"
#include "host/compile/toolchain.hpp"
#include "host/load/image.hpp"
#include "kernel/cache/flight.hpp"
#include "processes.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;

namespace {

namespace fs = std::filesystem;

void memory_is_out_for_good() {
  good_allocations = 0;
  clear_finished_graphs();  // what asks first makes what it needs, and throws nothing
  good_allocations = -1;
}

// It has no status: what fails on the way to the text is a text as well.
void the_cache_has_a_problem_in_any_case() {
  for (int good = 0; good < 50; ++good) {
    good_allocations = good;
    const char* problem = gpuarr_cache_problem();
    good_allocations = -1;
    CHECK(problem != nullptr);
  }
}

// Whatever fails on the way into a capture, the device counts none, and the stream works.
void a_capture_begins_or_not() {
  Device& device = host::open_device(0);
  auto stream = device.create_stream(0);
  int failures = 0;
  for (bool begun = false; !begun; ++failures) {
    good_allocations = failures;
    try {
      stream->begin_capture();
      begun = true;
    } catch (const std::bad_alloc&) {
      CHECK_EQ(device.captures(), 0);
      CHECK(!stream->captures());
    }
    good_allocations = -1;
  }
  CHECK(failures > 3);
  stream->end_capture();
  CHECK_EQ(device.captures(), 0);
}

// It ends also where there is no memory for the graph's handle: who released the stream then could
// not end it any more.
void a_capture_ends_in_any_case() {
  gpuarr_device* device = nullptr;
  gpuarr_stream* stream = nullptr;
  gpuarr_graph* graph = nullptr;
  int32_t captures = -1;
  CHECK_EQ(gpuarr_device_open(&device, "host"), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&stream, device, 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_begin_capture(stream), GPUARR_OK);
  good_allocations = 0;
  const gpuarr_status status = gpuarr_stream_end_capture(&graph, stream);
  good_allocations = -1;
  CHECK_EQ(status, GPUARR_ERR_OUT_OF_MEMORY);
  CHECK_EQ(gpuarr_stream_is_capturing(&captures, stream), GPUARR_OK);
  CHECK_EQ(captures, 0);
  gpuarr_stream_release(stream);
}

// The next block begins on the stack of a thread of the last, which no exception may leave.
void blocks_begin_or_not() {
  const int64_t grid[] = {40, 1, 1}, block[] = {32, 1, 1};
  gpuarr_device* device = nullptr;
  gpuarr_kernel_options* options = nullptr;
  gpuarr_raw* kernel = nullptr;
  CHECK_EQ(gpuarr_device_open(&device, "host"), GPUARR_OK);
  CHECK_EQ(gpuarr_kernel_options_create(&options), GPUARR_OK);
  CHECK_EQ(gpuarr_kernel_options_set_check(options, GPUARR_CHECK_RACE), GPUARR_OK);
  const char* text =
      "extern \"C\" __global__ void turn() {\n"
      "  __shared__ int s[32];\n"
      "  s[threadIdx.x] = threadIdx.x;\n"
      "  __syncthreads();\n"
      "  int mine = s[31 - threadIdx.x];\n"
      "  __syncthreads();\n"
      "  s[threadIdx.x] = mine;\n"
      "}";
  CHECK_EQ(gpuarr_raw_create(&kernel, text, "turn", "", options), GPUARR_OK);
  auto launch = [&] { return gpuarr_raw_launch(kernel, grid, block, 0, nullptr, 0, nullptr); };
  CHECK_EQ(launch(), GPUARR_OK);
  gpuarr_status status = GPUARR_ERR_OUT_OF_MEMORY;
  for (int good = 0; good < 1000 && status == GPUARR_ERR_OUT_OF_MEMORY; ++good) {
    good_allocations = good;
    status = launch();
    good_allocations = -1;
  }
  CHECK_EQ(status, GPUARR_OK);
  gpuarr_raw_release(kernel);
  gpuarr_kernel_options_release(options);
}

// What an own allocator gave is its again where it cannot be noted.
void an_own_allocator_loses_nothing() {
  Device& device = host::open_device(0);
  int live = 0;
  AllocatorFunctions functions;
  functions.allocate = [&](int64_t, Stream&) { return ++live, static_cast<void*>(&device); };
  functions.deallocate = [&](void*, int64_t, Stream&) { --live; };
  const auto allocator = make_allocator<FunctionAllocator>(device, std::move(functions));
  void* data = nullptr;
  for (int failures = 0; data == nullptr; ++failures) {
    good_allocations = failures;
    try {
      data = allocator->allocate(100, device.own_stream());
    } catch (const std::bad_alloc&) {
      CHECK_EQ(live, 0);
    }
    good_allocations = -1;
  }
  allocator->deallocate(data, device.own_stream());
  CHECK_EQ(live, 0);
}

void page_locked_memory_comes_back() {
  Device& device = host::open_device(0);
  PinnedPool pool(device);
  void* data = pool.allocate(100);
  pool.used_in(data, device.own_stream());
  good_allocations = 0;
  CHECK(pool.deallocate(data));  // and it cannot be said when the stream is done with it
  good_allocations = -1;
  pool.trim();
  CHECK_EQ(pool.statistics().cached, 0);
}

void several_results_are_given_or_none() {
  const int64_t shape[] = {2, 2};
  gpuarr_device* device = nullptr;
  gpuarr_array *a = nullptr, *results[2] = {};
  CHECK_EQ(gpuarr_device_open(&device, "host"), GPUARR_OK);
  CHECK_EQ(gpuarr_array_ones(&a, device, GPUARR_F64, 2, shape, GPUARR_ORDER_C, nullptr), GPUARR_OK);
  const auto try_all = [&](auto&& call) {
    gpuarr_status status = GPUARR_ERR_OUT_OF_MEMORY;
    for (int good = 0; good < 5000 && status == GPUARR_ERR_OUT_OF_MEMORY; ++good) {
      CHECK(results[0] == nullptr && results[1] == nullptr);
      CHECK_EQ(gpuarr_live_objects(), 1);
      good_allocations = good;
      status = call();
      good_allocations = -1;
    }
    CHECK_EQ(status, GPUARR_OK);
    for (gpuarr_array*& result : results) gpuarr_array_release(std::exchange(result, nullptr));
  };
  const auto signs = [&] { return gpuarr_slogdet(&results[0], &results[1], a, nullptr); };
  CHECK_EQ(signs(), GPUARR_OK);  // the kernels are there from now on
  for (gpuarr_array*& result : results) gpuarr_array_release(std::exchange(result, nullptr));
  try_all(signs);
  const auto places = [&] { return gpuarr_nonzero(results, 2, a, nullptr); };
  CHECK_EQ(places(), GPUARR_OK);
  for (gpuarr_array*& result : results) gpuarr_array_release(std::exchange(result, nullptr));
  try_all(places);
  gpuarr_array_release(a);
}

// Also if no stream can be told to wait for another.
void memory_that_two_streams_used_comes_back() {
  const int64_t shape[] = {1000};
  gpuarr_device* device = nullptr;
  gpuarr_stream* stream = nullptr;
  gpuarr_array *x = nullptr, *copy = nullptr;
  int64_t before = -1, after = -1;
  CHECK_EQ(gpuarr_device_open(&device, "host"), GPUARR_OK);
  CHECK_EQ(gpuarr_stream_create(&stream, device, 0, 0), GPUARR_OK);
  CHECK_EQ(gpuarr_array_ones(&copy, device, GPUARR_F64, 1, shape, 0, stream), GPUARR_OK);
  CHECK_EQ(gpuarr_memory_statistic(&before, device, GPUARR_MEMORY_USED), GPUARR_OK);
  CHECK_EQ(gpuarr_array_ones(&x, device, GPUARR_F64, 1, shape, 0, nullptr), GPUARR_OK);
  CHECK_EQ(gpuarr_device_synchronize(device), GPUARR_OK);
  CHECK_EQ(gpuarr_array_assign(copy, x, stream), GPUARR_OK);
  good_allocations = 0;
  gpuarr_array_release(x);
  good_allocations = -1;
  CHECK_EQ(gpuarr_memory_statistic(&after, device, GPUARR_MEMORY_USED), GPUARR_OK);
  CHECK_EQ(after, before);
  gpuarr_array_release(copy);
  gpuarr_stream_release(stream);
}

void hooks_go_in_any_case() {
  int calls = 0;
  const int64_t number = add_memory_hook([&](const MemoryCall&) { ++calls; });
  good_allocations = 0;
  CHECK(remove_memory_hook(number));
  CHECK(!remove_memory_hook(number));
  good_allocations = -1;
  Device& device = host::open_device(0);
  call_memory_hooks({MemoryEvent::allocating, nullptr, 1, device, nullptr});
  CHECK_EQ(calls, 0);
}

// Who asks after an error that could not be copied does not wait for ever.
void an_error_that_cannot_be_copied() {
  using Product = std::shared_ptr<int>;
  static Flights<int, std::hash<int>, Product> flights;
  const auto error = std::make_exception_ptr(Error(GPUARR_ERR_LOAD, std::string(100, 'x')));
  Came came = Came::kept;
  auto make_none = [&]() -> Product {
    good_allocations = 0;
    std::rethrow_exception(error);
  };
  try {
    flights.get(1, make_none, came);
    CHECK(!"it fails");
  } catch (const std::bad_alloc&) {
    good_allocations = -1;
  }
  const auto made = flights.get(
      1, [] { return std::make_shared<int>(5); }, came);
  CHECK_EQ(*made, 5);
}

void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Neither a signal that ends the process, nor one that is told later.
void refused_writes_are_errors() {
  TemporaryDirectory root;
  CHECK_EQ(end_process(start_process([&] {
             limit_files(1000);
             const File file(open((root / "file").c_str(), O_WRONLY | O_CREAT, 0600));
             CHECK(!write_bytes(file.fd(), std::string(2000, 'x')));
             CHECK_EQ(errno, EFBIG);
             int ends[2];
             CHECK_EQ(pipe(ends), 0);
             close(ends[0]);
             CHECK(!write_bytes(ends[1], "x"));
             CHECK_EQ(errno, EPIPE);
             sigset_t pending, mask;
             sigpending(&pending);
             pthread_sigmask(SIG_SETMASK, nullptr, &mask);
             for (int signal : {SIGXFSZ, SIGPIPE}) {
               CHECK_EQ(sigismember(&pending, signal), 0);
               CHECK_EQ(sigismember(&mask, signal), 0);
             }
             return 0;
           })),
           0);
}

// What is said of released objects, and at the end of those that are not, may go nowhere.
void refused_complaints_are_no_signals() {
  CHECK_EQ(end_process(start_process([&] {
             int ends[2];
             CHECK_EQ(pipe(ends), 0);
             close(ends[0]);
             dup2(ends[1], STDERR_FILENO);
             signal(SIGPIPE, SIG_DFL);
             gpuarr_device* device = nullptr;
             gpuarr_stream* streams[2] = {};
             gpuarr_objects_track(1);
             gpuarr_device_open(&device, "host");
             for (gpuarr_stream*& s : streams) gpuarr_stream_create(&s, device, 0, 0);
             gpuarr_stream_release(streams[0]);
             gpuarr_stream_release(streams[0]);
             exit(0);
             return 0;
           })),
           0);
}

// As the loader's and the compiler's files are.
void refused_images_are_errors() {
  const char* text = "extern \"C\" const char large[100000] = {1};\n";
  const std::string image = host::compile_source({"k", text, {}});
  CHECK_EQ(end_process(start_process([&] {
             limit_files(50000);
             CHECK_FAILS(GPUARR_ERR_IO, "File too large", [&] { host::Image{image}; });
             CHECK_FAILS(GPUARR_ERR_IO, "50000 bytes; raise that limit", [&] {
               host::compile_source({"k", text, {}});
             });
             return 0;
           })),
           0);
}

void set_time(const std::string& path, int64_t seconds_from_now) {
  const timespec time{std::time(nullptr) + seconds_from_now, 0};
  const timespec times[2] = {time, time};
  CHECK_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

std::string left_by_the_dead(const std::string& parent) {
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  const pid_t child = start_process([&] {
    const ScratchDirectory scratch(parent);
    write_file(scratch.path() + "/output", "x");
    write_bytes(ends[1], scratch.path());
    kill(getpid(), SIGKILL);
    return 0;
  });
  CHECK_EQ(end_process(child), -1);
  char path[200] = "";
  CHECK(read(ends[0], path, sizeof path - 1) > 0);
  close(ends[0]);
  close(ends[1]);
  return path;
}

void scratch_of_the_dead_is_removed() {
  TemporaryDirectory root;
  const std::string parent = root.path().string();
  const ScratchDirectory living(parent);
  const std::string old = left_by_the_dead(parent), future = left_by_the_dead(parent);
  const std::string young = left_by_the_dead(parent);
  fs::create_directory(root / "gpuarr-backup");
  fs::create_directory_symlink(root / "gpuarr-backup", root / "gpuarr-scratch-linked");
  for (const auto& path : {old, living.path(), root / "gpuarr-backup"}) set_time(path, -1000);
  set_time(future, 100000000);
  sweep_scratch(parent);
  CHECK(!fs::exists(old) && !fs::exists(future));
  CHECK(fs::exists(young));  // its owner may be about to lock it
  CHECK(fs::exists(living.path()) && fs::exists(root / "gpuarr-backup"));
}

}  // namespace

int main() {
  alarm(60);
  setenv("GPUARR_NUM_THREADS", "1", 1);  // which takes several blocks at a time
  setenv("GPUARR_HOST_ASYNC", "1", 1);   // streams wait for each other
  memory_is_out_for_good();              // before anything else makes what it needs
  refused_writes_are_errors();           // processes are forked before there are threads
  refused_complaints_are_no_signals();
  refused_images_are_errors();
  the_cache_has_a_problem_in_any_case();
  a_capture_begins_or_not();
  a_capture_ends_in_any_case();
  an_own_allocator_loses_nothing();
  page_locked_memory_comes_back();
  several_results_are_given_or_none();
  memory_that_two_streams_used_comes_back();
  blocks_begin_or_not();
  hooks_go_in_any_case();
  an_error_that_cannot_be_copied();
  scratch_of_the_dead_is_removed();
  return check::result();
}
