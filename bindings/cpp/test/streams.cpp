// Streams, events, graphs, memory, and callbacks that throw.
#include <atomic>

#include "check.hpp"

using namespace gpuarr;

namespace {

const std::size_t many = 100000;

/// Where a call leaves whatever a body throws.
template <class Exception, class Body> std::string thrown(Body&& body) {
  try {
    body();
  } catch (const Exception& exception) {
    return exception.what();
  }
  return "nothing";
}

void streams_and_events() {
  Device device;
  Stream first(device), second(device);
  CHECK(first.device() == device && first != second);
  const Elementwise plus("T x, T y", "T z", "z = x + y");
  Array x = Array::from(std::vector<float>(many, 1)), y = empty(GPUARR_F32, {100000}), z = y.copy();
  device.synchronize();
  Event begin(device), written(device), end(device);
  first.record(begin);
  plus.run({y}, {x, x}, first);
  first.record(written);
  second.wait(written);
  plus.run({z}, {x, y}, second);
  second.record(end);
  end.synchronize();
  CHECK(z.to_vector<float>() == std::vector<float>(many, 3));
  CHECK(end.since(begin) >= 0);
  second.synchronize();
  CHECK_EQ(get<int32_t>(gpuarr_stream_query, second), 1);
}

void current_stream() {
  const auto current = [] {
    const Stream stream = get<Stream>(gpuarr_stream_current, Device());
    return gpuarr_stream_native(stream);
  };
  const Stream stream{Device()};
  void *const own = gpuarr_stream_native(stream), *const before = current();
  {
    const StreamScope scope(stream);
    const Array x = zeros(GPUARR_F32, {3});
    const Stream of_array = get<Stream>(gpuarr_array_stream, x);
    CHECK(current() == own && gpuarr_stream_native(of_array) == own);
    CHECK(gpuarr_stream_native(scope.last) == before);
  }
  CHECK(own != before && current() == before);
}

/// An array is dropped while the kernel that reads it may still be running.
void dropped_arrays() {
  const Elementwise slow("T x", "T z",
                         "T s = x; for (int k = 0; k < 200; ++k) s = s / 2 + 1; z = s");
  Stream stream{Device()};
  StreamScope scope(stream);
  std::vector<Array> results;
  for (int k = 0; k < 20; ++k) results.push_back(slow(full(GPUARR_F64, {100000}, k)));
  for (const Array& result : results)
    CHECK(std::abs(result.select(0, 99999).item<double>() - 2) < 1e-12);
}

void functions_in_a_stream() {
  Stream stream{Device()};
  const Elementwise plus("T x, T y", "T z", "z = x + y");
  Array x = Array::from(std::vector<int32_t>{1}), z = empty(GPUARR_I32, {1});
  Device().synchronize();
  std::atomic<int> calls{0};
  auto shared = std::make_shared<int>(7);
  plus.run({z}, {x, x}, stream);
  auto end = stream.call([&calls, shared] { calls += *shared; });
  auto failed = stream.call([] { throw std::out_of_range("of a function in a stream"); });
  end.get();
  CHECK_EQ(calls.load(), 7);
  CHECK_EQ(thrown<std::out_of_range>([&] { failed.get(); }), "of a function in a stream");
  stream.synchronize();
  CHECK_EQ(shared.use_count(), 1);
}

void graphs() {
  Stream stream{Device()};
  const Elementwise twice("T x", "T x", "x *= 2");
  const Reduction largest("T x", "T z", "x", "max(a, b)", "z = a");
  Array x = Array::from(std::vector<int64_t>{1, 3}), top = zeros(GPUARR_I64, {});
  const Call again = twice.prepare({x}, {x});
  Device().synchronize();
  Graph graph = stream.capture([&] {
    twice.run({x}, {x}, stream);
    again.launch(stream);
    largest.run({top}, {x}, {}, false, stream);
  });
  CHECK(x.to_vector<int64_t>() == (std::vector<int64_t>{1, 3}) && top.item<int64_t>() == 0);
  for (int k = 0; k < 3; ++k) stream.launch(graph);
  stream.synchronize();
  CHECK(x.to_vector<int64_t>() == (std::vector<int64_t>{64, 192}) && top.item<int64_t>() == 192);

  CHECK_EQ(
      thrown<std::logic_error>([&] { stream.capture([] { throw std::logic_error("in it"); }); }),
      "in it");
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "a graph would call the function often",
              [&] { stream.capture([&] { stream.call([] {}); }); });
  twice.run({x}, {x}, stream);  // neither is captured any more
  stream.synchronize();
  CHECK(x.to_vector<int64_t>() == (std::vector<int64_t>{128, 384}));
}

void memory_and_reclaim() {
  Device device;
  Array kept = zeros(GPUARR_U8, {1 << 20});
  CHECK_EQ(device.memory(GPUARR_MEMORY_USED), 1 << 20);
  device.limit_memory(96 << 20);
  const auto too_much = [] { return empty(GPUARR_U8, {96 << 20}); };
  const auto message = "gpuarr_array_empty: ";
  CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, message, too_much);

  Array cache = empty(GPUARR_U8, {48 << 20});
  int64_t asked = 0;
  {
    Reclaim reclaim([&](Device whose, int64_t bytes) {
      asked = whose == device ? bytes : -1;
      const bool there = cache != nullptr;
      cache.reset();
      return there;
    });
    Array room = empty(GPUARR_U8, {48 << 20});
    CHECK(asked == 48 << 20 && cache == nullptr);
  }
  CHECK_FAILS(GPUARR_ERR_OUT_OF_MEMORY, message, too_much);

  // What a callback throws comes out of the call that ran it, also if that one could go on.
  {
    Reclaim broken([](Device, int64_t) -> bool { throw std::domain_error("of a callback"); });
    CHECK_EQ(thrown<std::domain_error>(too_much), "of a callback");
    CHECK_EQ(zeros(GPUARR_U8, {3}).size(), 3);
    cache = empty(GPUARR_U8, {48 << 20});
    Reclaim sound([&](Device, int64_t) { return cache.reset(), true; });
    CHECK_EQ(thrown<std::domain_error>([] { empty(GPUARR_U8, {48 << 20}); }), "of a callback");
    CHECK_EQ(empty(GPUARR_U8, {48 << 20}).size(), 48 << 20);
  }
  device.limit_memory(0);
}

/// Callbacks of C functions that are not in the wrapper.
void other_callbacks() {
  using Benchmark = Handle<gpuarr_benchmark, gpuarr_benchmark_retain, gpuarr_benchmark_release>;
  std::function<void()> work;
  const auto run = [](void* user) {
    return guarded<gpuarr_status>(GPUARR_ERR_INTERNAL, [&] {
      (*static_cast<std::function<void()>*>(user))();
      return GPUARR_OK;
    });
  };
  const auto benchmark = [&] {
    return get<Benchmark>(gpuarr_benchmark_run, std::string("work").c_str(), run, &work, 0, 3, 1.0,
                          Device(), nullptr);
  };
  int calls = 0;
  work = [&] { ++calls; };
  benchmark();
  CHECK_EQ(calls, 3);
  work = [] { throw std::range_error("of the third kind"); };
  CHECK_EQ(thrown<std::range_error>(benchmark), "of the third kind");
  CHECK_EQ(zeros(GPUARR_F32, {2}).size(), 2);
}

}  // namespace

int main() {
  check::choose_device();
  memory_and_reclaim();  // before others have cached memory
  streams_and_events();
  current_stream();
  dropped_arrays();
  functions_in_a_stream();
  graphs();
  other_callbacks();
  return check::result();
}
