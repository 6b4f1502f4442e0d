// What the benchmarks of memory share: sources of memory, pairs of allocate and free on one thread
// and on many, and a long random trace.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

#include "measure.hpp"
#include "objects.hpp"

constexpr int64_t kib = 1024;
constexpr int64_t mib = 1024 * kib;
constexpr int64_t gib = 1024 * mib;

inline std::vector<Stream> make_streams(gpuarr_device* device, size_t count) {
  std::vector<Stream> streams(count);
  for (Stream& stream : streams) check(gpuarr_stream_create(stream.out(), device, 0, 0));
  return streams;
}

/// A source of memory: the device's current allocator, asked in one of some streams.
class Pool {
 public:
  Pool(gpuarr_device* device, const std::vector<Stream>& streams) : streams_(streams) {
    check(gpuarr_allocator_current(allocator_.out(), device, nullptr));
  }
  void* allocate(int64_t bytes, size_t stream) {
    void* data;
    check(gpuarr_allocator_allocate(&data, allocator_.get(), bytes, streams_[stream].get()));
    return data;
  }
  void free(void* data, size_t stream) {
    check(gpuarr_allocator_free(allocator_.get(), data, streams_[stream].get()));
  }
  int64_t statistic(int32_t which) const {
    int64_t value;
    check(gpuarr_allocator_statistic(&value, allocator_.get(), which));
    return value;
  }
  int64_t held() const { return statistic(GPUARR_MEMORY_TOTAL); }
  void trim() { check(gpuarr_allocator_trim(allocator_.get())); }

 private:
  const std::vector<Stream>& streams_;
  Allocator allocator_;
};

/// The same of arrays, which have an object each.
class Arrays {
 public:
  Arrays(gpuarr_device* device, const std::vector<Stream>& streams)
      : device_(device), streams_(streams) {}
  gpuarr_array* allocate(int64_t bytes, size_t stream) {
    gpuarr_array* array;
    check(gpuarr_array_empty(&array, device_, GPUARR_U8, 1, &bytes, GPUARR_ORDER_C,
                             streams_[stream].get()));
    return array;
  }
  void free(gpuarr_array* array, size_t) { gpuarr_array_release(array); }

 private:
  gpuarr_device* device_;
  const std::vector<Stream>& streams_;
};

/// One piece of 4 KiB after the other.
template <class Source>
void pairs(Source& source, size_t stream, int operations) {
  for (int k = 0; k < operations; k += 2) source.free(source.allocate(4 * kib, stream), stream);
}

/// What a program's temporaries do: six pieces of three sizes at a time, not freed in order.
template <class Source>
void temporaries(Source& source, size_t stream, int operations) {
  constexpr int64_t sizes[] = {4 * kib, 512, 64 * kib, 4 * kib, 4 * kib, 512};
  constexpr size_t order[] = {1, 0, 4, 2, 5, 3};
  decltype(source.allocate(0, 0)) live[6];
  for (int k = 0; k < operations; k += 12) {
    for (size_t i = 0; i < 6; ++i) live[i] = source.allocate(sizes[i], stream);
    for (size_t i : order) source.free(live[i], stream);
  }
}

/// Time of an operation, an allocate or a free, where each of some threads does work(stream) with a
/// stream of its own: time of a core, so that it means the same where threads share one.
template <class Work>
double operation_us(size_t threads, int operations, Work&& work) {
  std::vector<double> times;
  for (int turn = 0; turn < 11; ++turn) {
    std::atomic<size_t> ready{0};
    std::vector<double> begins(threads), ends(threads);
    std::vector<std::thread> running;
    for (size_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        work(t);  // also what is done once only
        ready.fetch_add(1);
        while (ready.load() < threads) std::this_thread::yield();
        begins[t] = now_us();
        work(t);
        ends[t] = now_us();
      });
    for (std::thread& thread : running) thread.join();
    times.push_back((*std::max_element(ends.begin(), ends.end()) -
                     *std::min_element(begins.begin(), begins.end())) /
                    operations);
  }
  const size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  return median(times) * static_cast<double>(std::min(threads, cores)) /
         static_cast<double>(threads);
}

template <class Source>
double pairs_us(Source& source, size_t threads, int operations = 40000) {
  return operation_us(threads, operations,
                      [&](size_t stream) { pairs(source, stream, operations); });
}

template <class Source>
double temporaries_us(Source& source, size_t threads, int operations = 36000) {
  return operation_us(threads, operations,
                      [&](size_t stream) { temporaries(source, stream, operations); });
}

/// A random trace: which piece is allocated or, with 0 bytes, freed, and in which stream.
struct Step {
  int64_t bytes;
  uint32_t piece;
  uint32_t stream;
};

struct Steps {
  std::vector<Step> steps;
  size_t pieces = 0;
  int64_t peak_used = 0;  // in steps of 512 bytes
};

constexpr uint32_t trace_streams = 8;

/// Sizes from 512 B to 256 MiB, every power of two as likely as another, or every size. About
/// `target` bytes are in use.
inline Steps random_steps(bool by_power, int64_t target, int operations) {
  std::mt19937_64 random(std::random_device{}());
  auto draw = [&] {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    return by_power ? static_cast<int64_t>(512 * std::exp2(u * 19))
                    : 512 + static_cast<int64_t>(u * static_cast<double>(256 * mib - 512));
  };
  Steps out;
  std::vector<Step> live;
  std::vector<uint32_t> unused;
  int64_t used = 0;
  for (int k = 0; k < operations; ++k) {
    const bool grows = random() % 1000 < (used < target ? 520u : 480u);
    if (live.empty() || grows) {
      if (unused.empty()) unused.push_back(static_cast<uint32_t>(out.pieces++));
      live.push_back({draw(), unused.back(), static_cast<uint32_t>(random() % trace_streams)});
      unused.pop_back();
      out.steps.push_back(live.back());
      used += (live.back().bytes + 511) / 512 * 512;
      out.peak_used = std::max(out.peak_used, used);
    } else {
      std::swap(live[random() % live.size()], live.back());
      out.steps.push_back({0, live.back().piece, live.back().stream});
      unused.push_back(live.back().piece);
      used -= (live.back().bytes + 511) / 512 * 512;
      live.pop_back();
    }
  }
  return out;
}

struct Trace {
  double us = 0;  // for an operation
  int64_t peak_held = 0;
};

/// Does a trace; touch(data, bytes, stream) uses each new piece, and done() waits for that.
template <class Source, class Touch, class Done>
Trace run(const Steps& trace, Source& source, Touch&& touch, Done&& done) {
  struct Live {
    void* data = nullptr;
    uint32_t stream = 0;
  };
  std::vector<Live> live(trace.pieces);
  Trace out;
  const double begin = now_us();
  int number = 0;
  for (const Step& step : trace.steps) {
    Live& piece = live[step.piece];
    if (step.bytes > 0) {
      piece = {source.allocate(step.bytes, step.stream), step.stream};
      touch(piece.data, step.bytes, step.stream);
    } else {
      source.free(std::exchange(piece.data, nullptr), step.stream);
    }
    if (++number % 8 == 0)  // seldom, so that asking does not count
      out.peak_held = std::max(out.peak_held, source.held());
  }
  done();
  out.us = (now_us() - begin) / static_cast<double>(trace.steps.size());
  for (const Live& piece : live)
    if (piece.data != nullptr) source.free(piece.data, piece.stream);
  return out;
}

/// The pool's numbers before something, and what became of them.
class Counters {
 public:
  explicit Counters(const Pool& pool) : pool_(pool) {
    for (int32_t which : {GPUARR_MEMORY_ALLOCATIONS, GPUARR_MEMORY_HITS, GPUARR_MEMORY_DEVICE_CALLS,
                          GPUARR_MEMORY_TRANSFERS, GPUARR_MEMORY_WAITS})
      before_[which] = pool.statistic(which);
  }
  double more(int32_t which) const {
    return static_cast<double>(pool_.statistic(which) - before_[which]);
  }

 private:
  const Pool& pool_;
  int64_t before_[GPUARR_MEMORY_LIMIT + 1] = {};
};

/// Passes a piece on through some streams, each of which use(data, stream) gives work; with one, it
/// stays there.
template <class Source, class Use>
double hand_over_us(Source& source, size_t streams, int count, Use&& use) {
  const double begin = now_us();
  for (int k = 0; k < count; ++k) {
    const size_t stream = static_cast<size_t>(k) % streams;
    auto piece = source.allocate(64 * mib, stream);
    use(piece, stream);
    source.free(piece, stream);
  }
  return (now_us() - begin) / count;
}

/// Reports what a hand-over costs, and that neither the device is asked nor waited for.
template <class Source, class Use>
void report_hand_overs(const Report& report, const Pool& pool, Source& source,
                       const std::string& what, Use&& use) {
  constexpr int count = 1000;
  hand_over_us(source, 1, 10, use);
  const double stays = hand_over_us(source, 1, count, use);
  hand_over_us(source, 2, 2, use);
  const Counters counters(pool);
  report.add({what + ", against one stream", hand_over_us(source, 2, count, use), stays});
  const double transfers = counters.more(GPUARR_MEMORY_TRANSFERS);
  report.count({what + ": not taken over", count - transfers, 1});
  report.count({what + ": calls of the device", counters.more(GPUARR_MEMORY_DEVICE_CALLS), 0});
  report.count({what + ": waits for the device", counters.more(GPUARR_MEMORY_WAITS), 0});
}

/// Reports what a trace held, and what it asked of the device.
inline void report_trace(const Report& report, const Counters& counters, const std::string& name,
                         const Steps& steps, const Trace& trace, double against_us) {
  const double allocations = counters.more(GPUARR_MEMORY_ALLOCATIONS);
  auto share = [&](int32_t which) { return counters.more(which) / allocations; };
  report.add({name + ", an operation", trace.us, against_us});
  report.count({name + ": most held over most used",
                static_cast<double>(trace.peak_held) / static_cast<double>(steps.peak_used), 1.25});
  report.count({name + ": hits", share(GPUARR_MEMORY_HITS)});
  report.count({name + ": taken over from another stream", share(GPUARR_MEMORY_TRANSFERS)});
  report.count({name + ": calls of the device", share(GPUARR_MEMORY_DEVICE_CALLS)});
  report.count({name + ": waits for the device", share(GPUARR_MEMORY_WAITS)});
}
