// A wait for work of a device while somebody looks whether it waits for a process that is gone.
#include "device/lookouts.hpp"

#include "check.hpp"

using namespace gpuarr;

namespace {

struct Work {
  int queries = 0;
  int done_after = 0;  // queries
  bool query() { return ++queries > done_after; }
};

struct Messages final : Lookout {
  bool are_there = true;
  int looks = 0;
  double patience = 3600;

  bool has_messages() override { return are_there; }
  void look(double seconds) override {
    ++looks;
    if (seconds > patience) fail(GPUARR_ERR_TIMEOUT, "no answer within {} s", patience);
  }
};

// Whoever waits does so himself where there is nothing to look at.
void nobody_looks() {
  Lookouts lookouts;
  Work work;
  lookouts.watch(work);
  lookouts.watch_all();
  CHECK_EQ(work.queries, 0);
  const auto messages = std::make_shared<Messages>();
  messages->are_there = false;
  lookouts.add(messages);
  lookouts.watch(work);
  lookouts.watch_all();
  CHECK_EQ(work.queries, 0);
  CHECK_EQ(messages->looks, 0);
}

void all_look() {
  Lookouts lookouts;
  const auto one = std::make_shared<Messages>(), other = std::make_shared<Messages>();
  lookouts.add(one);
  lookouts.add(other);
  Work work{0, 5};
  lookouts.watch(work);
  CHECK_EQ(work.queries, 6);
  CHECK_EQ(one->looks, 5);
  CHECK_EQ(other->looks, 5);
  one->are_there = false;
  work = {0, 2};
  lookouts.watch(work);
  CHECK_EQ(one->looks, 5);
  CHECK_EQ(other->looks, 7);
}

void one_throws() {
  Lookouts lookouts;
  const auto messages = std::make_shared<Messages>();
  messages->patience = 0.05;
  lookouts.add(messages);
  Work work{0, 1 << 30};
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, "no answer within 0.05 s", [&] { lookouts.watch(work); });
  CHECK_FAILS(GPUARR_ERR_TIMEOUT, "no answer within 0.05 s", [&] { lookouts.watch_all(); });
}

void one_is_gone() {
  Lookouts lookouts;
  auto messages = std::make_shared<Messages>();
  lookouts.add(messages);
  messages.reset();
  Work work{0, 1 << 30};
  lookouts.watch(work);
  lookouts.watch_all();
  CHECK_EQ(work.queries, 0);
}

}  // namespace

int main() {
  nobody_looks();
  all_look();
  one_throws();
  one_is_gone();
  return check::result();
}
