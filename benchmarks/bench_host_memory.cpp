// What memory costs on the CPU device: pairs of allocate and free on one thread and on many, a long
// random trace, memory that goes from stream to stream.
#include <cstdlib>

#include "host_bench.hpp"
#include "memory_bench.hpp"

namespace {

// The C library, in small pieces of which it asks the kernel for nothing either.
struct Malloc {
  void* allocate(int64_t bytes, size_t) {
    void* data = std::malloc(static_cast<size_t>(bytes));
    asm volatile("" : "+r"(data));  // or the pair would go
    return data;
  }
  void free(void* data, size_t) { std::free(data); }
};

void one_thread(const Report& report, Pool& pool, Arrays& arrays) {
  Malloc theirs;
  report.add({"allocate and free 4 KiB, against malloc", 2 * pairs_us(pool, 1),
              2 * pairs_us(theirs, 1), 0, 0.1});
  report.add({"array of 4 KiB made and released", 2 * pairs_us(arrays, 1)});
  report.add({"six temporaries, an operation", temporaries_us(pool, 1), temporaries_us(theirs, 1)});
}

void many_threads(const Report& report, Pool& pool, Arrays& arrays) {
  Malloc theirs;
  for (const size_t threads : {2, 4, 8, 16}) {
    const std::string with = std::to_string(threads) + " threads: an operation of ";
    report.add({with + "4 KiB", pairs_us(pool, threads), pairs_us(theirs, threads), 0,
                threads == 16 ? 0.3 : 0});
    report.add({with + "arrays of 4 KiB", pairs_us(arrays, threads)});
    report.add(
        {with + "temporaries", temporaries_us(pool, threads), temporaries_us(theirs, threads)});
  }
}

// Memory that nobody touches is no memory yet, so that the trace needs little of the machine's.
void trace(const Report& report, Pool& pool, bool by_power) {
  const std::string name = by_power ? "trace, powers" : "trace, sizes";
  const Steps steps = random_steps(by_power, 16 * gib, 1000000);
  pool.trim();
  const Counters counters(pool);
  const Trace done = run(
      steps, pool, [](void*, int64_t, uint32_t) {}, [] {});
  report_trace(report, counters, name, steps, done, 0);
  pool.trim();
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const Report report("host_memory", gpuarr_device_description(device));
  const std::vector<Stream> streams = make_streams(device, 16);
  Pool pool(device, streams);
  Arrays arrays(device, streams);
  one_thread(report, pool, arrays);
  many_threads(report, pool, arrays);
  report_hand_overs(report, pool, arrays, "64 MiB in two streams", [](gpuarr_array*, size_t) {});
  trace(report, pool, true);
  trace(report, pool, false);
  return 0;
}
