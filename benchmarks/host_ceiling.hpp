// Hand-written loops for the CPU device: what a good programmer would get out of the machine for
// one type and one layout, with threads of their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace ceiling {

/// How the elements are given to the threads: an equal part for each, or chunks as they come.
enum class Split { even, chunks };

/// Threads that are kept waiting for work: spinning at first, then asleep.
class Threads {
 public:
  using Part = std::function<void(int64_t first, int64_t last)>;

  explicit Threads(int count);  // the caller's included
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Calls `part` for parts of 0 ... n-1 on all threads and returns when all is done.
  void run(int64_t n, Split split, const Part& part);

 private:
  void serve(int number);
  void work(int number);

  const Part* part_ = nullptr;
  int64_t n_ = 0;
  Split split_ = Split::even;
  bool quit_ = false;
  alignas(64) std::atomic<int64_t> next_{0};
  alignas(64) std::atomic<uint32_t> epoch_{0};
  alignas(64) std::atomic<int> working_{0};
  std::vector<std::thread> workers_;
};

/// z = x * y + x, for float and double.
template <class T>
void multiply_add(const T* x, const T* y, T* z, int64_t n);

/// y = a * x + y
void saxpy(float a, const float* x, float* y, int64_t n);

}  // namespace ceiling
