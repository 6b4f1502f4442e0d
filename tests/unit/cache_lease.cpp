// Tests of kernel/cache_lease.hpp: one holder at a time, among threads and processes, dead or
// alive.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "check.hpp"
#include "kernel/cache/lease.hpp"
#include "processes.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

void one_holds_it(const TemporaryDirectory& root, int at) {
  CacheLease first(at, "k", 0ms);
  CHECK(first.held());
  CHECK(std::filesystem::exists(root / "k.lock"));
  auto start = Clock::now();
  CHECK(!CacheLease(at, "k", 100ms).held());
  CHECK(Clock::now() - start >= 100ms);
  CHECK(CacheLease(at, "other", 0ms).held());
  first.release();
  CHECK(!first.held());
  CHECK(!std::filesystem::exists(root / "k.lock"));
  first.release();
  CHECK(CacheLease(at, "k", 0ms).held());
  CHECK(!std::filesystem::exists(root / "k.lock"));
}

void no_lock_is_no_obstacle(const TemporaryDirectory& root) {
  CHECK(!CacheLease().held());
  CHECK(!CacheLease(-1, "k", 10s).held());
  Descriptor file(::open((root / "file").c_str(), O_RDWR | O_CREAT, 0600));
  CHECK(!CacheLease(file.get(), "k", 10s).held());
  std::filesystem::create_directory(root / "d.lock");
  Descriptor at(::open(root.path().c_str(), O_RDONLY | O_DIRECTORY));
  CHECK(!CacheLease(at.get(), "d", 10s).held());
}

constinit bool facts_fail = false;

// It kept one processor busy until the time was over, two minutes for a kernel.
void a_lock_that_cannot_be_looked_at(int at) {
  facts_fail = true;
  const auto start = Clock::now();
  CHECK(!CacheLease(at, "k", 10s).held());
  CHECK(Clock::now() - start < 5s);
  facts_fail = false;
  CHECK(CacheLease(at, "k", 0ms).held());
}

void threads_take_turns(int at) {
  std::atomic<int> inside{0};
  std::atomic<int> turns{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 50; ++turn) {
        CacheLease lease(at, "k", 60s);
        CHECK(lease.held());
        CHECK_EQ(++inside, 1);
        ++turns;
        --inside;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK_EQ(turns, 200);
}

// Opening, locking, removing the file and letting go of it meet in every order.
void threads_that_do_not_wait_meet(int at) {
  std::atomic<int> inside{0}, turns{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 4000; ++turn) {
        CacheLease lease(at, "k", 0ms);
        if (!lease.held()) continue;
        ++turns;
        CHECK_EQ(++inside, 1);
        std::this_thread::yield();
        --inside;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(turns > 0);
}

void the_dead_hold_nothing(int at) {
  int ready[2];
  CHECK_EQ(::pipe(ready), 0);
  pid_t holder = start_process([&] {
    CacheLease lease(at, "k", 0ms);
    CHECK_EQ(::write(ready[1], "x", 1), 1);
    ::pause();
    return lease.held() ? 1 : 0;
  });
  char byte = 0;
  CHECK_EQ(::read(ready[0], &byte, 1), 1);
  CHECK(!CacheLease(at, "k", 0ms).held());
  ::kill(holder, SIGKILL);
  CHECK_EQ(end_process(holder), -1);
  CHECK(CacheLease(at, "k", 5s).held());
}

// A child of the holder has the lock's file open as well, and must not keep it locked.
void children_hold_nothing(int at) {
  CacheLease lease(at, "k", 0ms);
  pid_t child = start_process([] {
    ::pause();
    return 0;
  });
  lease.release();
  CHECK(CacheLease(at, "k", 0ms).held());
  ::kill(child, SIGKILL);
  end_process(child);
}

}  // namespace

// The C library's, which may fail here.
extern "C" int fstatat(int directory, const char* path, struct stat* facts, int flags) noexcept {
  errno = EIO;
  if (facts_fail) return -1;
  return static_cast<int>(syscall(SYS_newfstatat, directory, path, facts, flags));
}

int main() {
  TemporaryDirectory root;
  Descriptor directory(::open(root.path().c_str(), O_RDONLY | O_DIRECTORY));
  one_holds_it(root, directory.get());
  no_lock_is_no_obstacle(root);
  a_lock_that_cannot_be_looked_at(directory.get());
  the_dead_hold_nothing(directory.get());
  children_hold_nothing(directory.get());
  threads_take_turns(directory.get());
  threads_that_do_not_wait_meet(directory.get());
  return check::result();
}
