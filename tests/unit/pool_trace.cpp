// What a pool holds beside what is in use, over a long random trace of sizes, on a fake device.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "check.hpp"
#include "fake_device.hpp"
#include "seed.hpp"

namespace {

constexpr int64_t mib = int64_t{1} << 20;
constexpr int64_t target = int64_t{16} << 30;  // bytes in use, about which the trace wanders
constexpr int stream_count = 8;

struct Live {
  void* data;
  int64_t bytes;
  size_t stream;
};

// 512 B to 256 MiB: every power of two as often as any other, or every size.
int64_t draw(std::mt19937_64& random, bool by_power) {
  const double u = static_cast<double>(random() >> 11) * 0x1p-53;
  return by_power ? static_cast<int64_t>(512 * std::exp2(u * 19))
                  : 512 + static_cast<int64_t>(u * static_cast<double>(256 * mib - 512));
}

struct Trace {
  int64_t peak_used = 0;
  int64_t peak_held = 0;
  MemoryStatistics end;
};

Trace run(FakeDevice& device, bool by_power, int operations, uint64_t seed) {
  std::mt19937_64 random(seed);
  Pool& pool = device.pool();
  std::vector<std::shared_ptr<FakeStream>> streams;
  streams.reserve(stream_count);
  for (int i = 0; i < stream_count; ++i) streams.push_back(device.stream());
  std::vector<Live> live;
  Trace trace;
  int64_t used = 0;
  for (int step = 0; step < operations; ++step) {
    const bool grows = random() % 1000 < (used < target ? 520 : 480);
    if (live.empty() || grows) {
      const int64_t bytes = draw(random, by_power);
      const size_t stream = random() % stream_count;
      live.push_back({pool.allocate(bytes, *streams[stream]), bytes, stream});
      used += (bytes + 511) / 512 * 512;
      trace.peak_used = std::max(trace.peak_used, used);
      trace.peak_held = std::max(trace.peak_held, device.budget().held());
    } else {
      std::swap(live[random() % live.size()], live.back());
      pool.deallocate(live.back().data, *streams[live.back().stream]);
      used -= (live.back().bytes + 511) / 512 * 512;
      live.pop_back();
    }
  }
  CHECK_EQ(pool.statistics().used, used);
  trace.end = pool.statistics();
  for (const Live& block : live) pool.deallocate(block.data, *streams[block.stream]);
  pool.trim();
  CHECK_EQ(device.budget().held(), 0);
  return trace;
}

// $GPUARR_TRACE_OPERATIONS: how long a trace; a million is what the demand is about.
void holds_little_more_than_is_used(bool by_power) {
  const char* wanted = std::getenv("GPUARR_TRACE_OPERATIONS");
  FakeDevice device(1 << 15);  // 64 GiB
  const uint64_t seed = test_seed();
  const Trace trace = run(device, by_power, wanted != nullptr ? std::atoi(wanted) : 60000, seed);
  const double ratio = static_cast<double>(trace.peak_held) / static_cast<double>(trace.peak_used);
  std::cout << (by_power ? "powers" : "sizes") << ": seed " << seed << ", peak used "
            << trace.peak_used / mib << " MiB, held " << ratio << " times that; "
            << trace.end.allocations << " allocations, " << trace.end.hits << " hits, "
            << trace.end.transfers << " transfers, " << trace.end.device_calls
            << " calls of the device, " << trace.end.waits << " waits for it\n";
  CHECK(ratio <= 1.25);
  CHECK(trace.end.waits * 20 < trace.end.allocations);
}

}  // namespace

int main() {
  holds_little_more_than_is_used(true);
  holds_little_more_than_is_used(false);
  return check::result();
}
