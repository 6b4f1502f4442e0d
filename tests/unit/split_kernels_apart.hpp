// Kernels with barriers whose threads end, or take branches and loops, each its own way; see
// split_kernels.hpp.
#pragma once

namespace split_kernels {

inline const char* const apart = R"cuda(
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
KERNEL(leaves_by_case) {
  int x = in[place()];
  for (int k = 0; k < 3; ++k) {
    switch ((x + k) % 5) {
      case 0: continue;
      case 1: case 2: x += 3; break;
      case 3: out[place()] = -x; return;
      default: x += 1;
    }
    __syncthreads();
    x *= 2;
  }
  out[place()] = x;
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
)cuda";

}  // namespace split_kernels
