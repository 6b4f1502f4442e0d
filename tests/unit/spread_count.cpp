// A count that many threads change: nothing that they add is lost, also where two share a place, or
// one has that of a thread that is gone.
#include "core/spread_count.hpp"

#include <barrier>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace gpuarr;

namespace {

void adds_of_all_threads_count() {
  constexpr int threads = 150;
  constexpr int rounds = 200;
  SpreadCount count;
  std::barrier all(threads);  // so many at a time
  std::vector<std::thread> running;
  running.reserve(threads);
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&count, &all] {
      all.arrive_and_wait();
      for (int k = 0; k < rounds; ++k) {
        count.add(3);
        count.add(-1);
      }
    });
  for (std::thread& thread : running) thread.join();
  CHECK_EQ(count.load(), int64_t{2} * threads * rounds);
}

void a_place_is_handed_on() {
  SpreadCount count;
  for (int t = 0; t < 200; ++t) std::thread([&count] { count.add(1); }).join();
  CHECK_EQ(count.load(), 200);
}

void what_one_adds_another_takes_away() {
  SpreadCount count;
  count.add(5);
  std::thread([&count] { count.add(-5); }).join();
  CHECK_EQ(count.load(), 0);
}

}  // namespace

int main() {
  adds_of_all_threads_count();
  a_place_is_handed_on();
  what_one_adds_another_takes_away();
  return check::result();
}
