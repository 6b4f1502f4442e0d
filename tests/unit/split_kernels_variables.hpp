// Kernels with variables of all kinds that live across barriers; see split_kernels.hpp.
#pragma once

namespace split_kernels {

inline const char* const variables = R"cuda(
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

}  // namespace split_kernels
