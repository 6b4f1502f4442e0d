// The pool of threads: every block once, from several callers, and in the child of a fork.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "check.hpp"
#include "host/threads/threads.hpp"

using namespace gpuarr;

namespace {

// ThreadSanitizer cannot have threads made after a fork, which is what is tested here.
#if defined(__SANITIZE_THREAD__)
constexpr bool forks = false;
#else
constexpr bool forks = true;
#endif

struct Counts {
  explicit Counts(int64_t n) : visits(static_cast<size_t>(n)) {}
  std::vector<std::atomic<int>> visits;
  std::atomic<int64_t> pieces{0};
};

void count(const void* context, long long first, long long last) {
  auto& counts = *static_cast<Counts*>(const_cast<void*>(context));
  ++counts.pieces;
  for (long long i = first; i < last; ++i) ++counts.visits[static_cast<size_t>(i)];
}

bool all_once(int64_t blocks) {
  Counts counts(blocks);
  host::parallel(count, &counts, blocks);
  return std::ranges::all_of(counts.visits, [](const auto& v) { return v == 1; });
}

void test_every_block_once() {
  for (int64_t blocks : {0, 1, 2, 3, 7, 8, 100, 12345})
    for (int i = 0; i < 50; ++i) CHECK(all_once(blocks));
  Counts one(1);
  host::parallel(count, &one, 1);
  CHECK_EQ(one.pieces.load(), 1);
}

// Blocks long enough for sleeping threads to come: more than one thread must take part.
void test_threads_take_part() {
  struct Seen {
    std::atomic<int> at_once{0}, most{0};
  } seen;
  const host::Body body = [](const void* context, long long first, long long last) {
    auto& s = *static_cast<Seen*>(const_cast<void*>(context));
    const int now = ++s.at_once;
    int most = s.most;
    while (now > most && !s.most.compare_exchange_weak(most, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * (last - first)));
    --s.at_once;
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the pool falls asleep
  host::parallel(body, &seen, 16);
  CHECK(seen.most > 1);
  CHECK(seen.most <= host::thread_count());
}

void test_blocks_come_in_order() {
  struct Order {
    std::atomic<bool> wrong{false};
  } order;
  const host::Body body = [](const void* context, long long first, long long last) {
    auto& o = *static_cast<Order*>(const_cast<void*>(context));
    thread_local long long mine = -1;
    thread_local const void* job = nullptr;
    if (job != context) mine = -1;
    job = context;
    if (first <= mine) o.wrong = true;
    mine = last - 1;
  };
  host::parallel(body, &order, 100000);
  CHECK(!order.wrong);
}

void test_many_callers() {
  std::vector<std::thread> callers;
  callers.reserve(6);
  std::atomic<int> wrong{0};
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) wrong += all_once(50 + i) ? 0 : 1;
    });
  for (std::thread& t : callers) t.join();
  CHECK_EQ(wrong.load(), 0);
}

void test_call_from_within() {
  Counts counts(64);
  const host::Body body = [](const void* context, long long first, long long last) {
    for (long long i = first; i < last; ++i)
      if (!all_once(10)) std::abort();
    count(context, first, last);
  };
  host::parallel(body, &counts, 64);
  CHECK(std::ranges::all_of(counts.visits, [](const auto& v) { return v == 1; }));
}

/// Forks; the child works and must end well. It is killed if it hangs.
bool child_works() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    bool good = true;
    for (int i = 0; i < 20; ++i) good &= all_once(1000);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

void test_fork() {
  CHECK(all_once(1000));
  CHECK(child_works());
  CHECK(all_once(1000));
}

void test_fork_during_launches() {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread other([&] {
    while (!stop) wrong += all_once(200) ? 0 : 1;
  });
  for (int i = 0; i < 20; ++i) CHECK(child_works());
  stop = true;
  other.join();
  CHECK_EQ(wrong.load(), 0);
}

}  // namespace

int main() {
  setenv("GPUARR_NUM_THREADS", "4", 1);
  CHECK_EQ(host::thread_count(), 4);
  test_every_block_once();
  test_threads_take_part();
  test_blocks_come_in_order();
  test_many_callers();
  test_call_from_within();
  if (forks) {
    test_fork();
    test_fork_during_launches();
  }
  return check::result();
}
