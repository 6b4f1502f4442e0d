// Random work with device/pool.hpp on a fake device, against a naive model of overlap and of order
// between streams, and from several threads.
#include <algorithm>
#include <random>
#include <thread>

#include "check.hpp"
#include "device/pool.hpp"
#include "fake_device.hpp"

namespace {

constexpr int64_t kib = 1024;
constexpr int64_t mib = 1024 * kib;

int64_t rounded(int64_t bytes) { return (bytes + 511) / 512 * 512; }

// The naive model: for each 512 bytes, whether they are live, and the last work that used them.
class Model {
 public:
  Model(FakeDevice& device, int64_t blocks)
      : granules_(static_cast<size_t>(blocks * FakeDevice::block / 512)) {
    device.on_synchronize = [this] { ++epoch_; };
  }

  void allocated(void* data, int64_t bytes, FakeStream& stream) {
    for (size_t g = first(data); g < first(data) + count(bytes); ++g) {
      Granule& granule = granules_.at(g);
      CHECK(!granule.live);
      bool known = granule.work == 0 || granule.epoch < epoch_ ||
                   stream.seen[granule.stream] >= granule.work;
      CHECK(known);
      granule.live = true;
    }
  }

  void freed(void* data, int64_t bytes, FakeStream& stream) {
    for (size_t g = first(data); g < first(data) + count(bytes); ++g)
      granules_[g] = {false, stream.id(), stream.seen[stream.id()], epoch_};
  }

 private:
  struct Granule {
    bool live = false;
    uint64_t stream = 0, work = 0;
    int epoch = 0;  // synchronisations of the device before
  };
  static size_t first(void* data) {
    return (reinterpret_cast<uintptr_t>(data) - FakeDevice::base) / 512;
  }
  static size_t count(int64_t bytes) { return static_cast<size_t>(rounded(bytes) / 512); }

  std::vector<Granule> granules_;
  int epoch_ = 1;
};

struct Live {
  void* data;
  int64_t bytes;
  Seen seen;  // by the stream that got it
};

constexpr int64_t model_blocks = 24;

// What a pool may tell wrongly of its peak: each front keeps some bytes to itself.
constexpr int64_t unknown_to_peak = 4 * mib;

// What the statistics should say.
struct Books {
  int64_t used = 0, peak = 0, requests = 0, slack = 0;

  void allocated(int64_t bytes) {
    used += rounded(bytes);
    peak = std::max(peak, used);
  }
  void check(Pool& pool, FakeDevice& device, size_t live) const {
    MemoryStatistics now = pool.statistics();
    CHECK_EQ(now.used, used);
    CHECK(std::abs(now.peak - peak) <= slack);
    CHECK_EQ(now.blocks, static_cast<int64_t>(live));
    CHECK_EQ(now.allocations, requests);
    CHECK_EQ(now.device_calls, device.allocations + device.frees);
    DeviceMemory memory = device.memory();
    CHECK_EQ(now.used + now.cached, memory.total - memory.free);
  }
};

void all_goes_back(Pool& pool, FakeDevice& device) {
  pool.trim();
  CHECK_EQ(device.memory().free, device.memory().total);
  CHECK_EQ(pool.statistics().cached, 0);
  CHECK_EQ(device.streams_alive, 0);
}

void matches_the_naive_model(uint64_t seed, bool fronts) {
  std::cout << "seed " << seed << (fronts ? ", fronts\n" : "\n");
  std::mt19937_64 random(seed);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  FakeDevice device(model_blocks);
  Model model(device, model_blocks);
  Pool own(device, MemoryKind::device, false);
  Pool& pool = fronts ? device.pool() : own;
  std::vector<std::shared_ptr<FakeStream>> streams(4);
  for (auto& stream : streams) stream = device.stream();
  std::vector<Live> live;
  Books books{.slack = fronts ? unknown_to_peak : 0};
  int64_t failures = 0;
  for (int step = 0; step < 6000; ++step) {
    auto& stream = streams[static_cast<size_t>(below(4))];
    stream->work();
    int64_t what = below(1000);
    if (what < 540) {
      const int64_t most[] = {7 * mib, mib, mib, 9000, 9000, 9000, 9000, 9000};
      const int64_t bytes = 1 + below(most[below(8)]);
      ++books.requests;
      try {
        void* data = pool.allocate(bytes, *stream);
        model.allocated(data, bytes, *stream);
        live.push_back({data, bytes, stream->seen});
        books.allocated(bytes);
      } catch (const Error& error) {
        CHECK_EQ(error.status(), GPUARR_ERR_OUT_OF_MEMORY);
        ++failures;
      }
    } else if (what < 995 && !live.empty()) {
      std::swap(live[static_cast<size_t>(below(static_cast<int64_t>(live.size())))], live.back());
      join(stream->seen, live.back().seen);  // whoever frees in another stream orders the two
      stream->work();
      model.freed(live.back().data, live.back().bytes, *stream);
      pool.deallocate(live.back().data, *stream);
      books.used -= rounded(live.back().bytes);
      live.pop_back();
    } else if (what < 998) {
      stream = device.stream();
    } else {
      pool.trim();
    }
    books.check(pool, device, live.size());
  }
  CHECK(failures > 0 && failures < books.requests / 2);
  for (Live& block : live) pool.deallocate(block.data, *streams[0]);
  streams.clear();
  all_goes_back(pool, device);
}

void many_threads() {
  FakeDevice device(64);
  Pool& pool = device.pool();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (unsigned id = 0; id < 4; ++id)
    threads.emplace_back([&, id] {
      std::mt19937 random(id);
      auto stream = device.stream();
      std::vector<Live> live;
      for (int step = 0; step < 3000; ++step) {
        if (random() % 2 != 0 || live.empty()) {
          int64_t bytes = 1 + random() % (random() % 8 == 0 ? 3 * mib : 20 * kib);
          try {
            live.push_back({pool.allocate(bytes, *stream), bytes, {}});
          } catch (const Error& error) {
            CHECK_EQ(error.status(), GPUARR_ERR_OUT_OF_MEMORY);
          }
        } else {
          std::swap(live[random() % live.size()], live.back());
          pool.deallocate(live.back().data, *stream);
          live.pop_back();
        }
        if (step % 1000 == 999) pool.trim();
      }
      for (Live& block : live) pool.deallocate(block.data, *stream);
    });
  for (auto& thread : threads) thread.join();
  CHECK_EQ(pool.statistics().used, 0);
  pool.trim();
  CHECK_EQ(device.memory().free, device.memory().total);
  CHECK_EQ(device.streams_alive, 0);
}

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    matches_the_naive_model(seed, false);
    matches_the_naive_model(seed, true);
  }
  many_threads();
  return check::result();
}
