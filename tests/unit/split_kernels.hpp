// Kernels with barriers for the test of how they are cut. Each takes (int* out, const int* in, int
// n), has one element for each thread, and wants blocks of at most 256 threads.
#pragma once

namespace split_kernels {

// All of these are cut.
inline const char* const cut = R"cuda(
constexpr int most = 256;
const float half_a_turn = 3.14f;
__constant__ int factor = 3;
__device__ int counter;
struct Point { int x, y; };
__device__ int twice(int x) { return x + x; }
__device__ void add_to(int& to, int x) { to += x; }
__device__ int rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ int place() {
  return rank() + blockDim.x * blockDim.y * blockDim.z *
                      (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
}
__device__ int size() { return blockDim.x * blockDim.y * blockDim.z; }

#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int n)

KERNEL(tree_halves) {
  __shared__ int s[most];
  int t = rank();
  s[t] = in[place()];
  __syncthreads();
  for (int half = most / 2; half > 0; half /= 2) {
    if (t < half && t + half < size()) s[t] += s[t + half];
    __syncthreads();
  }
  out[place()] = s[0];
}
KERNEL(tree_shifts) {
  __shared__ int s[most];
  const unsigned int t = rank(), i = place();
  s[t] = in[i];
  __syncthreads();
  for (unsigned int k = 1; k < blockDim.x * blockDim.y * blockDim.z; k <<= 1) {
    const unsigned index = 2 * k * t;
    if (index + k < size()) s[index] += s[index + k];
    __syncthreads();
  }
  if (t == 0) out[i] = s[0];
}
KERNEL(tree_while) {
  __shared__ int s[most];
  int t = rank(), left = most;
  s[t] = in[place()];
  while (left > 1) {
    __syncthreads();
    left = left >> 1;
    if (t < left && t + left < size()) s[t] += s[t + left];
  }
  __syncthreads();
  out[place()] = s[0] + left;
}
KERNEL(tree_do) {
  __shared__ int s[most];
  int t = rank();
  int k = most / 2;
  s[t] = in[place()];
  do {
    __syncthreads();
    if (t < k)
      if (t + k < size()) s[t] += s[t + k];
    k /= 2;
  } while (k);
  __syncthreads();
  if (!t) out[place()] = s[0];
}
KERNEL(tree_unrolled) {
  __shared__ int s[most];
  int t = rank();
  s[t] = in[place()];
  __syncthreads();
  if (size() >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (blockDim.x >= 128) { if (t < 64 && t + 64 < size()) { s[t] += s[t + 64]; } __syncthreads(); }
  out[place()] = s[t] * n;
}
KERNEL(guarded) {
  __shared__ int s[most];
  int i = place();
  int t = rank();
  s[t] = -1;
  if (i >= n - 5) return;
  s[t] = in[i];
  __syncthreads();
  int next = s[(t + 1) % size()];
  __syncthreads();
  s[t] = next;
  __syncthreads();
  if (i % 7 == 0) return;
  out[i] = s[size() - 1 - t];
}
KERNEL(returns_anywhere) {
  __shared__ int s[most];
  int i = place(), t = rank(), sum = 0;
  for (int round = 0; round < 6; ++round) {
    s[t] = in[i] + round;
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
      if (s[(t + k) % size()] % 97 == 13) {
        out[i] = 1000 + round;
        return;
      }
      sum += s[(t + k) % size()];
    }
    __syncthreads();
  }
  out[i] = sum;
}
KERNEL(all_return) {
  __shared__ int s[most];
  int t = rank(), rounds = 0;
  while (true) {
    s[t] = in[place()] % 5 + rounds;
    __syncthreads();
    if (rounds == 4) return;
    out[place()] += s[size() - 1 - t];
    ++rounds;
    __syncthreads();
  }
}
KERNEL(scan_double_buffer) {
  __shared__ int s[2][most];
  int t = rank(), from = 0;
  s[0][t] = in[place()];
  __syncthreads();
  for (int offset = 1; offset < size(); offset *= 2) {
    int to = 1 - from;
    s[to][t] = s[from][t] + (t >= offset ? s[from][t - offset] : 0);
    from = to;
    __syncthreads();
  }
  out[place()] = s[from][t];
}
KERNEL(scan_blelloch) {
  __shared__ int s[most];
  int t = rank(), offset = 1;
  s[t] = in[place()];
  for (int d = most / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      if (b < size()) s[b] += s[a];
    }
    offset *= 2;
  }
  __syncthreads();
  out[place()] = s[t] + offset;
}
KERNEL(bitonic) {
  __shared__ int s[most];
  int t = rank();
  s[t] = in[place()];
  __syncthreads();
  for (int k = 2; k <= most; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t && other < size()) {
        bool up = (t & k) == 0;
        if ((s[t] > s[other]) == up) {
          int keep = s[t];
          s[t] = s[other];
          s[other] = keep;
        }
      }
      __syncthreads();
    }
  out[place()] = s[t];
}
KERNEL(stencil) {
  __shared__ int s[most + 2];
  int t = rank(), i = place();
  int value = in[i];
  for (int step = 0; step < 5; step++) {
    s[t + 1] = value;
    if (t == 0) s[0] = in[(i + n - 1) % n];
    if (t == size() - 1) s[t + 2] = in[(i + 1) % n];
    __syncthreads();
    value = (s[t] + 2 * s[t + 1] + s[t + 2]) / 4;
    __syncthreads();
  }
  out[i] = value;
}
KERNEL(histogram) {
  __shared__ unsigned bins[32];
  for (int k = rank(); k < 32; k += size()) bins[k] = 0;
  __syncthreads();
  atomicAdd(&bins[in[place()] & 31], 1u);
  __syncthreads();
  out[place()] = bins[rank() % 32];
}
KERNEL(tiles) {
  __shared__ int s[16][17], t[16][17];
  int x = threadIdx.x % 16, y = (threadIdx.y * blockDim.x + threadIdx.x) / 16 % 16;
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    for (int k = rank(); k < 256; k += size()) {
      s[k / 16][k % 16] = in[(tile * 16 + k) % n];
      t[k / 16][k % 16] = in[(tile * 31 + k * k) % n];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += s[y][k] * (t[k][x] & 15);
    __syncthreads();
  }
  out[place()] = sum;
}
KERNEL(reused_names) {
  __shared__ int s[most];
  int t = rank();
  for (int i = 0; i < 2; i++) { s[t] = in[place()] * i; __syncthreads(); }
  for (int i = 5; i > 3; i--) {
    int t2 = s[(t + i) % size()]; __syncthreads(); s[t] = t2 + i; __syncthreads(); }
  {
    int i = place();
    int old = s[t];
    __syncthreads();
    { int i = 7; old += i; { int old = 3; s[t] = old; } __syncthreads(); old += i; }
    out[i] = old + s[t];
  }
}
KERNEL(shadowed) {
  __shared__ int s[most];
  int v = in[place()], w = 1;
  s[rank()] = v;
  __syncthreads();
  {
    w += v;
    int v = s[(rank() + 1) % size()] + w;
    __syncthreads();
    s[rank()] = v;
    for (int w = 0; w < 3; ++w) v += w;
    __syncthreads();
    w += v;
  }
  out[place()] = v + w + s[rank()];
}
KERNEL(arrays_of_each) {
  __shared__ int s[most];
  int a[4] = {1, 2}, b[2][3];
  for (int k = 0; k < 6; ++k) b[k / 3][k % 3] = in[(place() + k) % n];
  s[rank()] = a[1];
  __syncthreads();
  for (int k = 0; k < 4; ++k) a[k] += s[(rank() + k) % size()];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += a[k] * b[k % 2][k % 3];
  out[place()] = sum;
}
KERNEL(moving_pointers) {
  __shared__ int s[most];
  const int* p = in + rank();
  int* const to = out + place();
  int sum = 0;
  for (int k = 0; k < 3; ++k, p += 2) {
    s[rank()] = *p;
    __syncthreads();
    sum += s[(rank() + 1) % size()] + p[0];
    __syncthreads();
  }
  in += 3;
  __syncthreads();
  *to = sum + in[rank()] + p[1];
}
KERNEL(changed_parameters) {
  __shared__ int s[most];
  n /= 2;
  s[rank()] = n;
  __syncthreads();
  n -= rank();
  out += place();
  __syncthreads();
  *out = n + s[0] + n * s[size() - 1];
}
KERNEL(pointers_to_own) {
  __shared__ int s[most];
  int x = in[place()], *p = &x, a[3] = {4, 5, 6};
  int* q = a + 1;
  s[rank()] = x;
  __syncthreads();
  *p += s[0];
  q[1] = s[size() - 1];
  add_to(x, 3);
  __syncthreads();
  out[place()] = x + *q + a[2] + *p;
}
KERNEL(structs) {
  __shared__ Point s[most];
  Point mine = {in[place()], rank()}, other;
  float4 v = make_float4(1, 2, 3, rank());
  s[rank()] = mine;
  __syncthreads();
  other = s[(rank() + 5) % size()];
  mine.x += other.y;
  __syncthreads();
  out[place()] = mine.x + mine.y + other.x + (int)v.w;
}
KERNEL(masked_loop) {
  __shared__ int changed, s[most];
  int t = rank(), rounds = 0, value = in[place()] & 255;
  s[t] = value;
  do {
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    int best = max(s[t], max(s[(t + 1) % size()], s[(t + 7) % size()]));
    __syncthreads();
    if (best != s[t]) { s[t] = best; changed = 1; }
    __syncthreads();
    ++rounds;
  } while (changed);
  out[place()] = s[t] * 100 + rounds + value;
}
KERNEL(breaks) {
  __shared__ int s[most], stop;
  int t = rank(), sum = 0;
  if (t == 0) stop = in[0] % 4 + 2;
  __syncthreads();
  for (int k = 0; k < 10; ++k) {
    s[t] = in[place()] + k;
    __syncthreads();
    if (k == stop) break;
    sum += s[size() - 1 - t];
    if (sum % 2 == 100) continue;
    for (int j = 0; j < 4; ++j) { if (j == 2) break; if (j == 1) continue; sum += j + 1; }
    __syncthreads();
  }
  out[place()] = sum;
}
KERNEL(continues) {
  __shared__ int s[most];
  int t = rank(), sum = 0, k = 0;
  while (k < 8) {
    ++k;
    s[t] = k * t;
    __syncthreads();
    sum += s[(t + k) % size()];
    __syncthreads();
    if (k & 1) continue;
    s[t] = sum;
    __syncthreads();
    sum += s[(t + 1) % size()] % 11;
    __syncthreads();
  }
  out[place()] = sum;
}
KERNEL(branches) {
  __shared__ int s[most];
  int t = rank(), x = in[place()], first = in[0];
  s[t] = x;
  __syncthreads();
  if (first > 50) {
    int y = s[(t + 1) % size()];
    __syncthreads();
    s[t] = y;
  } else if (n > 3 && blockIdx.x % 2 == 0) {
    x += s[(t + 2) % size()];
    __syncthreads();
    s[t] = x;
  } else
    x -= s[(t + 3) % size()];
  __syncthreads();
  if (gridDim.x > 1) __syncthreads();
  else x++;
  out[place()] = x + s[t];
}
KERNEL(outer_and_inner) {
  __shared__ int s[most];
  int t = rank(), sum = 0;
  for (int a = 0; a < 3; ++a) {
    int part = a;
    for (int b = a; b < 3; b++) {
      s[t] = part + b;
      __syncthreads();
      part += s[(t + a) % size()];
      for (int c = b; c-- > 0;) {
        __syncthreads();
        s[t] = c + a;
        __syncthreads();
        part ^= s[(t + c) % size()];
      }
      __syncthreads();
    }
    sum += part;
  }
  out[place()] = sum;
}
KERNEL(lambdas) {
  __shared__ int s[most];
  int t = rank();
  int offset = in[place()] % 5;
  s[t] = [&](int x) { if (x > 3) return x * 2; return offset; }(in[place()]);
  __syncthreads();
  auto pick = [=](int k) { return s[(t + k + offset + 5) % size()]; };
  out[place()] = pick(1) - pick(2);
}
KERNEL(constants) {
  const int width = 8;
  constexpr int rows = most / width;
  typedef int number;
  using Row = number[width];
  __shared__ Row s[rows + 1];
  const int row = threadIdx.x / width % rows;
  const number column = rank() % width;
  s[row][column] = factor;
  __syncthreads();
  const bool last = row == rows - 1;
  auto up = row > 0 ? row - 1 : row;
  __syncthreads();
  out[place()] = s[up][column] + last + width;
}
KERNEL(uniforms) {
  __shared__ int s[most];
  int t = rank(), left = n > 10 ? n : 10, total = 0;
  float scale = 2.0f;
  unsigned mask = 1u;
  for (int k = 0; left > 0 && k < 5; left -= 17, ++k) {
    s[t] = in[place()] + left;
    __syncthreads();
    total += s[(t + k) % size()] * (int)scale + (int)mask;
    scale *= 0.5f;
    mask <<= 2;
    if (mask > 16) mask = 1u;
    __syncthreads();
  }
  out[place()] = total + left + (int)mask;
}
KERNEL(switches) {
  __shared__ int s[most];
  int t = rank(), x = 0;
  s[t] = in[place()];
  __syncthreads();
  switch (s[t] & 3) {
    case 0: x = 5; break;
    case 1: { for (;;) { if (++x > 3) break; } }
    case 2: x += 7; break;
    default: x = -1;
  }
  __syncthreads();
  out[place()] = x + s[0];
}
KERNEL(commas) {
  __shared__ int s[most];
  int i, j, t = rank();
  for (i = 0, j = 4; i < j; ++i, --j) { s[t] = i * j; __syncthreads(); }
  out[place()] = s[(t + 1) % size()] + i + j;
}
KERNEL(nothing_between) {
  __syncthreads();
  __syncthreads();
  int x = in[place()];
  ;
  __syncthreads();
  { __syncthreads(); }
  out[place()] = x;
  __syncthreads();
}
KERNEL(uninitialised) {
  __shared__ int s[most];
  int x, y;
  float z;
  if (rank() % 2) x = 3;
  else x = 4;
  z = x * 0.5f;
  s[rank()] = x;
  __syncthreads();
  y = s[(rank() + 1) % size()];
  __syncthreads();
  out[place()] = x + y + (int)(z * 2);
}
KERNEL(divides_for_none) {
  __shared__ int s[most];
  int t = rank(), sum = 0, zero = n - n;
  s[t] = in[place()];
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    sum += s[(t + k) % size()];
    if (s[0] >= zero) break;
    int part = n / zero;
    __syncthreads();
    s[t] = part;
  }
  if (sum >= zero) { out[place()] = sum; return; }
  int part = n / zero;
  __syncthreads();
  out[place()] = part;
}
KERNEL(disagree) {  // though no GPU would like it
  __shared__ int s[most];
  int t = rank();
  s[t] = t;
  if (t % 2) {
    s[t] = 5;
    __syncthreads();
    s[t] += 2;
  }
  out[place()] = s[t];
}
KERNEL(evaluated_once) {
  __shared__ int s[most];
  int t = rank(), k = 3;
  while (k-- > 0) { s[t] = k; __syncthreads(); }
  out[place()] = s[t] * 10 + k;
}
template <class T, int N, class Op>
__global__ void combined(T* out, const T* in, int n) {
  __shared__ T s[N];
  T value = in[place()], first(value), second{0};
  s[rank()] = Op()(value, T(1));
  __syncthreads();
  for (int k = 1; k < N; k += k) {
    if constexpr (N > 1) { second = s[(rank() + k) % size()]; __syncthreads(); }
    s[rank()] = Op()(first, second);
    __syncthreads();
  }
  out[place()] = s[(rank() + N) % size()];
}
struct Sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
namespace deep { namespace {
extern __shared__ int tail[];
__global__ void __launch_bounds__(most) dynamic(int* out, const int* in, int n) {
  extern __shared__ int room[];
  int* second = room + size();
  room[rank()] = in[place()];
  __syncthreads();
  second[rank()] = room[size() - 1 - rank()];
  __syncthreads();
  out[place()] = second[(rank() + 1) % size()] + tail[0];
}
}}
)cuda";

// None of these is.
inline const char* const kept = R"cuda(
#include <cooperative_groups.h>
__device__ void wait() { __syncthreads(); }
struct Waiter { __device__ void operator()() const { __syncthreads(); } };
struct Own { int x; __device__ Own() : x(0) {} };
#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int n)
KERNEL(jumps) { int k = 0; again: __syncthreads(); if (++k < 3) goto again; out[0] = k; }
KERNEL(calls) { wait(); __syncthreads(); }
KERNEL(counts) { out[0] = __syncthreads_count(in[0]); __syncthreads(); }
KERNEL(in_expression) { out[0] = (__syncthreads(), 1); }
KERNEL(warps) { __syncthreads(); out[0] = __shfl_sync(0xffffffffu, in[0], 0); }
KERNEL(groups) { cooperative_groups::this_thread_block().sync(); __syncthreads(); }
KERNEL(in_switch) { switch (in[0]) { case 1: __syncthreads(); break; default: __syncthreads(); } }
KERNEL(lasting_reference) { int x = 1; int& r = x; __syncthreads(); r = 2; out[0] = x; }
KERNEL(lasting_auto) { auto x = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = x; }
KERNEL(lasting_lambda) { auto f = [=] { return in[0]; }; __syncthreads(); out[0] = f(); }
KERNEL(local_type) { struct Two { int a, b; } two = {1, 2}; __syncthreads(); out[0] = two.a; }
KERNEL(of_functions) { int (*f)(int, int) = &max; __syncthreads(); out[0] = f(1, 2); }
KERNEL(in_range) { int a[2] = {1, 2}; for (int x : a) { out[0] = x; __syncthreads(); } }
KERNEL(in_lambda) { auto f = [] { __syncthreads(); }; f(); }
KERNEL(bound) { int a[2] = {1, 2}; auto [x, y] = a; __syncthreads(); out[0] = x + y; }
KERNEL(static_one) { static int calls = 0; __syncthreads(); out[0] = calls; }
KERNEL(volatile_one) { volatile int x = in[0]; __syncthreads(); out[0] = x; }
KERNEL(declared_in_condition) { while (int x = in[threadIdx.x]) { __syncthreads(); out[0] = x; } }
__global__ void twice(int*) { __syncthreads(); }
__global__ void twice(float*) { __syncthreads(); }
template <int N> __global__ void special(int* out) { out[0] = N; __syncthreads(); }
template <> __global__ void special<1>(int* out) { out[0] = 5; __syncthreads(); }
template <class Op> __global__ void functor(int* out) { Op()(); __syncthreads(); }
)cuda";

}  // namespace split_kernels
