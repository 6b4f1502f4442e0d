// What memory costs beside the driver's own: pairs of allocate and free on one thread and on many,
// a long random trace, memory that goes from stream to stream, page-locked copies.
#include <cuda.h>

#include <cstring>
#include <functional>

#include "cuda_bench.cuh"
#include "driver_memory.cuh"
#include "memory_bench.hpp"

namespace {

void one_thread(const Report& report, Pool& pool, Arrays& arrays,
                const std::vector<Stream>& streams) {
  DriverPool theirs(streams);
  DriverDirect direct;
  const double of_driver = 2 * pairs_us(theirs, 1);
  report.add({"allocate and free 4 KiB, against the driver's pool", 2 * pairs_us(pool, 1),
              of_driver, 0, 0.1});
  report.add({"array of 4 KiB made and released", 2 * pairs_us(arrays, 1), of_driver});
  report.add({"cuMemAlloc and cuMemFree of 4 KiB", 2 * pairs_us(direct, 1, 400)});
  report.add({"six temporaries, an operation", temporaries_us(pool, 1), temporaries_us(theirs, 1)});
}

void many_threads(const Report& report, Pool& pool, Arrays& arrays,
                  const std::vector<Stream>& streams) {
  DriverPool theirs(streams);
  for (const size_t threads : {2, 4, 8, 16}) {
    const std::string with = std::to_string(threads) + " threads: an operation of ";
    const int few = 4000;  // the driver's threads wait for each other
    report.add({with + "4 KiB", pairs_us(pool, threads), pairs_us(theirs, threads, few), 0,
                threads == 16 ? 0.3 : 0});
    report.add({with + "arrays of 4 KiB", pairs_us(arrays, threads)});
    report.add({with + "temporaries", temporaries_us(pool, threads),
                temporaries_us(theirs, threads, few)});
  }
}

const auto nothing = [](void*, int64_t, uint32_t) {};

struct Kind {
  const char* name;
  bool by_power;
};
constexpr Kind kinds[] = {{"trace, powers", true}, {"trace, sizes", false}};

// The driver's pool does a tenth of the trace: it is there for comparison only.
void traces(const Report& report, Pool& pool, const std::vector<Stream>& streams) {
  for (const Kind& kind : kinds) {
    Trace theirs;
    const Steps few = random_steps(kind.by_power, 16 * gib, 100000);
    {
      DriverPool driver(streams);
      theirs = run(few, driver, nothing, [] { check(cuCtxSynchronize()); });
    }
    const Steps steps = random_steps(kind.by_power, 16 * gib, 1000000);
    pool.trim();
    const Counters counters(pool);
    const Trace ours = run(steps, pool, nothing, [] {});
    report_trace(report, counters, kind.name, steps, ours, theirs.us);
    report.count({std::string(kind.name) + ": the driver's pool, most held over most used",
                  static_cast<double>(theirs.peak_held) / static_cast<double>(few.peak_used)});
    pool.trim();
  }
}

// Every piece is filled, so that whoever takes it over, or waits, waits for real work.
void trace_with_work(const Report& report, Pool& pool, const std::vector<Stream>& streams) {
  const Steps steps = random_steps(true, 16 * gib, 200000);
  auto fill = [&](void* data, int64_t bytes, uint32_t stream) {
    check(cuMemsetD8Async(address(data), 1, static_cast<size_t>(bytes), native(streams[stream])));
  };
  auto done = [] { check(cuCtxSynchronize()); };
  double alone;
  {
    SamePieces pieces(pool, 256 * mib, trace_streams);
    alone = run(steps, pieces, fill, done).us;
  }
  double of_driver;
  {
    DriverPool driver(streams);
    of_driver = run(steps, driver, fill, done).us;
  }
  pool.trim();
  const Counters counters(pool);
  const Trace ours = run(steps, pool, fill, done);
  report_trace(report, counters, "trace of pieces that are filled", steps, ours, alone);
  report.add({"the same from the driver's pool", of_driver, alone});
  pool.trim();
}

void hand_overs(const Report& report, Pool& pool, Arrays& arrays,
                const std::vector<Stream>& streams) {
  report_hand_overs(report, pool, arrays, "64 MiB in two streams", [](gpuarr_array*, size_t) {});
  check(cuCtxSynchronize());
  report_hand_overs(report, pool, arrays, "64 MiB filled, in two streams",
                    [&](gpuarr_array* array, size_t stream) {
                      check(cuMemsetD8Async(address(gpuarr_array_data(array)), 1, 64 * mib,
                                            native(streams[stream])));
                    });
  check(cuCtxSynchronize());
}

/// Page-locked memory of ours, or of the driver's.
struct Pinned {
  gpuarr_device* device;
  void* ours = nullptr;
  void* theirs = nullptr;

  Pinned(gpuarr_device* of, int64_t bytes) : device(of) {
    check(gpuarr_pinned_allocate(&ours, device, bytes));
    check(cuMemHostAlloc(&theirs, static_cast<size_t>(bytes), 0));
    std::memset(ours, 1, static_cast<size_t>(bytes));
    std::memset(theirs, 1, static_cast<size_t>(bytes));
  }
  ~Pinned() {
    cuMemFreeHost(theirs);
    gpuarr_pinned_free(device, ours);
    gpuarr_pinned_trim(device);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
};

struct CopyTimes {
  double call_us;  // until the call is back
  double us;       // until the copy is done
};

/// Median times of copies that take turns.
template <size_t count>
std::vector<CopyTimes> copies_us(const Stream& stream, const std::function<void()> (&copies)[count],
                                 int turns) {
  std::vector<double> calls[count], all[count];
  for (int turn = 0; turn <= turns; ++turn)
    for (size_t k = 0; k < count; ++k) {
      const double begin = now_us();
      copies[k]();
      const double back = now_us();
      check(gpuarr_stream_synchronize(stream.get()));
      if (turn == 0) continue;  // what is done once only
      calls[k].push_back(back - begin);
      all[k].push_back(now_us() - begin);
    }
  std::vector<CopyTimes> out;
  for (size_t k = 0; k < count; ++k) out.push_back({median(calls[k]), median(all[k])});
  return out;
}

void pinned_copies(const Report& report, gpuarr_device* device, const Stream& stream,
                   const char* size, int64_t bytes, int turns) {
  Array array;
  check(
      gpuarr_array_empty(array.out(), device, GPUARR_U8, 1, &bytes, GPUARR_ORDER_C, stream.get()));
  const Pinned host(device, bytes);
  const CUdeviceptr there = address(gpuarr_array_data(array.get()));
  const auto count = static_cast<size_t>(bytes);
  const std::function<void()> copies[] = {
      [&] {
        check(gpuarr_array_write_async(array.get(), nullptr, host.ours, bytes, stream.get()));
      },
      [&] { check(cuMemcpyHtoDAsync(there, host.theirs, count, native(stream))); },
      [&] { check(gpuarr_array_read_async(host.ours, bytes, nullptr, array.get(), stream.get())); },
      [&] { check(cuMemcpyDtoHAsync(host.theirs, there, count, native(stream))); }};
  const auto times = copies_us(stream, copies, turns);
  const double demand = bytes == gib ? 0.98 : 0;
  const std::string to = std::string("page-locked to device, ") + size;
  const std::string from = std::string("device to page-locked, ") + size;
  report.add({to, times[0].us, times[1].us, demand});
  report.add({to + ": until the call is back", times[0].call_us, times[1].call_us});
  report.add({from, times[2].us, times[3].us, demand});
  report.add({from + ": until the call is back", times[2].call_us, times[3].call_us});
}

// Making such memory costs the driver milliseconds; the pool keeps it.
void pinned_pairs(const Report& report, gpuarr_device* device) {
  auto ours = [&] {
    void* data;
    check(gpuarr_pinned_allocate(&data, device, mib));
    check(gpuarr_pinned_free(device, data));
  };
  auto theirs = [] {
    void* data;
    check(cuMemHostAlloc(&data, mib, 0));
    check(cuMemFreeHost(data));
  };
  auto us_of = [](int count, const std::function<void()>& pair) {
    std::vector<double> times;
    for (int turn = 0; turn < 11; ++turn) {
      const double begin = now_us();
      for (int k = 0; k < count; ++k) pair();
      times.push_back((now_us() - begin) / count);
    }
    return median(times);
  };
  report.add({"allocate and free 1 MiB page-locked", us_of(10000, ours), us_of(10, theirs)});
}

}  // namespace

int main() {
  use_context();
  const Bench bench("memory");
  gpuarr_device* device = bench.device();
  const Report report("memory", gpuarr_device_description(device));
  const std::vector<Stream> streams = make_streams(device, 16);
  Pool pool(device, streams);
  Arrays arrays(device, streams);
  one_thread(report, pool, arrays, streams);
  many_threads(report, pool, arrays, streams);
  hand_overs(report, pool, arrays, streams);
  pinned_pairs(report, device);
  pinned_copies(report, device, streams[0], "1 GiB", gib, 9);
  pinned_copies(report, device, streams[0], "64 KiB", 64 * kib, 501);
  trace_with_work(report, pool, streams);
  traces(report, pool, streams);
  return 0;
}
