// The hand-written loops. CMake compiles this file for the machine that it is compiled on.
#include "host_ceiling.hpp"

#include <algorithm>

namespace ceiling {
namespace {

constexpr int64_t chunk = 65536;
constexpr int spins = 20000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Threads::Threads(int count) {
  for (int k = 1; k < count; ++k) workers_.emplace_back([this, k] { serve(k); });
}

Threads::~Threads() {
  quit_ = true;
  epoch_.fetch_add(1);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Threads::run(int64_t n, Split split, const Part& part) {
  part_ = &part;
  n_ = n;
  split_ = split;
  next_.store(0, std::memory_order_relaxed);
  working_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  epoch_.fetch_add(1);
  epoch_.notify_all();
  work(0);
  for (int k = 0; working_.load(std::memory_order_acquire) > 0; ++k)
    if (k < spins)
      relax();
    else
      std::this_thread::yield();
}

void Threads::serve(int number) {
  for (uint32_t seen = 0;;) {
    for (int k = 0; k < spins && epoch_.load(std::memory_order_acquire) == seen; ++k) relax();
    epoch_.wait(seen);
    seen = epoch_.load(std::memory_order_acquire);
    if (quit_) return;
    work(number);
    working_.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void Threads::work(int number) {
  const auto threads = static_cast<int64_t>(workers_.size()) + 1;
  if (split_ == Split::even) {
    (*part_)(n_ * number / threads, n_ * (number + 1) / threads);
    return;
  }
  for (int64_t first = next_.fetch_add(chunk); first < n_; first = next_.fetch_add(chunk))
    (*part_)(first, std::min(first + chunk, n_));
}

template <class T>
void multiply_add(const T* __restrict__ x, const T* __restrict__ y, T* __restrict__ z, int64_t n) {
  for (int64_t i = 0; i < n; ++i) z[i] = x[i] * y[i] + x[i];
}

template void multiply_add(const float*, const float*, float*, int64_t);
template void multiply_add(const double*, const double*, double*, int64_t);

void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

}  // namespace ceiling
