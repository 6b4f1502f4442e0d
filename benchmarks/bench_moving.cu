// Elements by indices on the GPU, against the best hand-written gather of the same run, which
// checks nothing; and what joins and shifts arrays, against a copy.
#include <algorithm>
#include <vector>

#include "cuda_bench.cuh"

namespace {

constexpr int64_t size = 100000000;

template <class I>
__global__ void bound_indices(I* indices, int64_t count, int64_t extent) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  if (i < count)
    indices[i] = static_cast<I>(static_cast<uint64_t>(indices[i]) % static_cast<uint64_t>(extent));
}

template <class T, int V>
struct alignas(sizeof(T) * V) Pack {
  T v[V];
};

// V neighbouring elements for each thread: the indices and the results as one word where it is one
// of at most 16 bytes, all gathers under way together.
template <class T, class I, int V>
__global__ void gather(const T* __restrict__ x, const I* __restrict__ indices, T* __restrict__ out,
                       int64_t packs) {
  constexpr int of_word = 16 / sizeof(I) < V ? 16 / sizeof(I) : V;
  const int64_t p = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  if (p >= packs) return;
  Pack<I, of_word> k[V / of_word];
#pragma unroll
  for (int w = 0; w < V / of_word; ++w)
    k[w] = reinterpret_cast<const Pack<I, of_word>*>(indices)[p * (V / of_word) + w];
  Pack<T, V> result;
#pragma unroll
  for (int v = 0; v < V; ++v) result.v[v] = x[k[v / of_word].v[v % of_word]];
  reinterpret_cast<Pack<T, V>*>(out)[p] = result;
}

// Rows of 16-byte words, a word for each thread.
template <class I>
__global__ void gather_rows(const uint4* __restrict__ x, const I* __restrict__ indices,
                            uint4* __restrict__ out, int64_t words, unsigned row) {
  const int64_t p = static_cast<int64_t>(blockIdx.x) * 256 + threadIdx.x;
  if (p >= words) return;
  const auto r = static_cast<unsigned>(p) / row;
  out[p] = x[indices[r] * static_cast<int64_t>(row) + (static_cast<unsigned>(p) - r * row)];
}

unsigned blocks_for(int64_t threads) { return static_cast<unsigned>((threads + 255) / 256); }

template <class I>
gpuarr_array* random_indices(Bench& bench, gpuarr_dtype dtype, int64_t count, int64_t extent) {
  gpuarr_array* out = bench.random(dtype, count);
  bound_indices<<<blocks_for(count), 256, 0, bench.stream()>>>(
      static_cast<I*>(gpuarr_array_data(out)), count, extent);
  return out;
}

template <class T, class I>
void takes(Bench& bench, const char* what, const char* name, gpuarr_dtype dtype,
           gpuarr_dtype index_dtype, int64_t extent, double demand) {
  const Array x(bench.random(dtype, extent)), out(bench.random(dtype, size));
  const Array k(random_indices<I>(bench, index_dtype, size, extent));
  auto by_hand = [&](auto width) {
    constexpr int V = decltype(width)::value;
    return median_us(1, bench.stream(), [&](size_t) {
      gather<T, I, V><<<blocks_for(size / V), 256, 0, bench.stream()>>>(data<T>(x), data<I>(k),
                                                                        data<T>(out), size / V);
    });
  };
  gpuarr_array* given = out.get();
  auto ours = [&] {
    return median_us(1, bench.stream(),
                     [&](size_t) { check(gpuarr_take(&given, x.get(), k.get(), 0, nullptr)); });
  };
  const double first = ours();
  const double best = std::min({by_hand(std::integral_constant<int, 1>()),
                                by_hand(std::integral_constant<int, 2>()),
                                by_hand(std::integral_constant<int, 16 / sizeof(T)>())});
  const double us = std::min(first, ours());
  const double bytes = static_cast<double>(size) * (2 * sizeof(T) + sizeof(I));
  bench.report(what, name, size, us, bytes / us / 1e3, best / us, demand);
}

/// Rows of so many float32.
void rows(Bench& bench, int64_t row) {
  const int64_t count = size / row, shape[] = {count, row};
  const Array x(bench.random(GPUARR_F32, count * row)), out(bench.random(GPUARR_F32, count * row));
  const Array k(random_indices<int64_t>(bench, GPUARR_I64, count, count));
  const Array from(reshape(x.get(), 2, shape)), to(reshape(out.get(), 2, shape));
  const int64_t words = count * row / 4;
  const double best = median_us(1, bench.stream(), [&](size_t) {
    gather_rows<<<blocks_for(words), 256, 0, bench.stream()>>>(
        data<uint4>(x), data<int64_t>(k), data<uint4>(out), words, static_cast<unsigned>(row / 4));
  });
  gpuarr_array* given = to.get();
  const double us = median_us(1, bench.stream(), [&](size_t) {
    check(gpuarr_take(&given, from.get(), k.get(), 0, nullptr));
  });
  const double bytes = 2.0 * static_cast<double>(size) * sizeof(float);
  bench.report(row == 16 ? "take rows of 16" : "take rows of 256", "f32", size, us,
               bytes / us / 1e3, best / us, 0);
}

/// What moves whole arrays, by the bytes of a copy.
void moves(Bench& bench) {
  const Array x(bench.random(GPUARR_F32, size)), out(bench.random(GPUARR_F32, size));
  const double bytes = 2.0 * static_cast<double>(size) * sizeof(float);
  const double copy = median_us(1, bench.stream(), [&](size_t) {
    check(cudaMemcpyAsync(gpuarr_array_data(out.get()), gpuarr_array_data(x.get()),
                          size * sizeof(float), cudaMemcpyDeviceToDevice, bench.stream()));
  });
  auto row = [&](const char* what, auto&& work) {
    const double us = median_us(1, bench.stream(), [&](size_t) { check(work()); });
    bench.report(what, "f32", size, us, bytes / us / 1e3, copy / us, 0);
  };
  gpuarr_array* given = out.get();
  const Array low(slice(x.get(), 0, size / 2)), high(slice(x.get(), size / 2, size / 2));
  const gpuarr_array* halves[] = {low.get(), high.get()};
  row("concatenate 2", [&] { return gpuarr_concatenate(&given, halves, 2, 0, nullptr); });
  const int64_t shift = 12345;
  const int32_t axis = 0;
  row("roll", [&] { return gpuarr_roll(&given, x.get(), 1, &shift, &axis, nullptr); });
  const Array part(slice(x.get(), 0, size / 100));
  const int64_t times = 100;
  row("tile 100", [&] { return gpuarr_tile(&given, part.get(), 1, &times, nullptr); });
  row("repeat 100", [&] { return gpuarr_repeat(&given, part.get(), 100, 0, nullptr); });
  const Array inner(slice(x.get(), 0, size - 2));
  const int64_t one = 1;
  row("pad by edges", [&] {
    return gpuarr_pad(&given, inner.get(), &one, &one, GPUARR_PAD_EDGE, gpuarr_arg_f32(0), nullptr);
  });
  const int64_t square[] = {10000, 10000};
  const Array matrix(reshape(x.get(), 2, square));
  gpuarr_array* lower = reshape(out.get(), 2, square);
  row("tril", [&] { return gpuarr_tril(&lower, matrix.get(), 0, nullptr); });
  gpuarr_array_release(lower);
}

void many_small(Bench& bench) {
  constexpr int64_t length = 1000;
  constexpr int32_t count = 1000;
  const Array x(bench.random(GPUARR_F32, length * count));
  gpuarr_array* out = bench.random(GPUARR_F32, length * count);
  std::vector<const gpuarr_array*> parts;
  std::vector<Array> held;
  for (int32_t k = 0; k < count; ++k) {
    held.emplace_back(slice(x.get(), k * length, length));
    parts.push_back(held.back().get());
  }
  const double us = median_us(1, bench.stream(), [&](size_t) {
    check(gpuarr_concatenate(&out, parts.data(), count, 0, nullptr));
  });
  bench.report("concatenate 1000 of 1000", "f32", length * count, us, 8e-3 * length * count / us, 0,
               0);
  gpuarr_array_release(out);
}

}  // namespace

int main() {
  Bench bench("moving");
  takes<float, int64_t>(bench, "take, random", "f32", GPUARR_F32, GPUARR_I64, size, 0.95);
  takes<float, int32_t>(bench, "take, random int32", "f32", GPUARR_F32, GPUARR_I32, size, 0.95);
  takes<double, int64_t>(bench, "take, random", "f64", GPUARR_F64, GPUARR_I64, size, 0.95);
  takes<float, int64_t>(bench, "take from the cache", "f32", GPUARR_F32, GPUARR_I64, 100000, 0);
  takes<float, int32_t>(bench, "take from the cache, int32", "f32", GPUARR_F32, GPUARR_I32, 100000,
                        0);
  rows(bench, 16);
  rows(bench, 256);
  moves(bench);
  many_small(bench);
  return 0;
}
