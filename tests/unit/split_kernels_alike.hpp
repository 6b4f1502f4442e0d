// Kernels with barriers in branches and loops that all threads take alike; see split_kernels.hpp.
#pragma once

namespace split_kernels {

inline const char* const alike = R"cuda(
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
KERNEL(evaluated_once) {
  __shared__ int s[most];
  int t = rank(), k = 3;
  while (k-- > 0) { s[t] = k; __syncthreads(); }
  out[place()] = s[t] * 10 + k;
}
)cuda";

}  // namespace split_kernels
