// Who did what before whom, who was last at a word, what memory a launch may use.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "host/check/race_shadow.hpp"
#include "host/check/regions.hpp"
#include "host/check/symbols.hpp"
#include "host/check/thread_places.hpp"
#include "host/compile/source_lines.hpp"

using namespace gpuarr::host;

namespace {

void test_barriers_order_a_block() {
  RaceOrder order;
  order.begin(0, 0);
  const Moment early = order.now(40);
  CHECK(order.is_before(early, 40));
  CHECK(!order.is_before(early, 41));
  CHECK(!order.is_before(early, 3));
  order.barrier();
  CHECK(order.is_before(early, 3));
  CHECK_EQ(order.thread_of(early), 40U);
}

void test_lanes_that_meet_are_in_order() {
  RaceOrder order;
  order.begin(0, 0);
  const Moment a = order.now(0), b = order.now(1), c = order.now(2);
  order.meet(0, 0b011, false);
  CHECK(order.is_before(a, 1));
  CHECK(order.is_before(b, 0));
  CHECK(!order.is_before(a, 2));
  CHECK(!order.is_before(c, 0));
  order.meet(0, 0b110, false);  // what lane 1 knows of lane 0 goes on to lane 2
  CHECK(order.is_before(a, 2));
  CHECK(!order.is_before(c, 0));
  const Moment d = order.now(0);
  order.meet(0, 0xffffffff, true);
  CHECK(order.is_before(d, 31));
  CHECK(!order.is_before(d, 32));
  for (int k = 0; k < 300; ++k) order.meet(1, 0b11, false);  // more often than a clock counts
  const Moment e = order.now(32);
  order.meet(1, 0b11, false);
  CHECK(order.is_before(e, 33));
}

void test_fences_and_atomics_order_blocks() {
  RaceOrder order;
  constexpr uintptr_t counter = 0x1000;
  order.begin(0, 0);
  const Moment written = order.now(0), other = order.now(33);
  order.fence(0);
  const Moment late = order.now(0);
  order.release(0, counter);
  order.begin(1, 0);
  CHECK(!order.is_before(written, 0));
  order.acquire(counter + 4);
  CHECK(!order.is_before(written, 0));
  const Moment second = order.now(5);
  order.acquire(counter);
  CHECK(order.is_before(written, 0));
  CHECK(!order.is_before(late, 0));   // behind the fence
  CHECK(!order.is_before(other, 0));  // nothing orders it and the fence
  order.barrier();
  order.fence(0);
  order.release(0, counter);
  order.begin(2, 0);
  order.acquire(counter);
  CHECK(order.is_before(written, 7));  // by way of block 1
  CHECK(order.is_before(second, 7));   // the barrier is before the fence
  CHECK_EQ(order.block_of(second), 1);
  order.begin(0, 1);
  CHECK(order.is_before(other, 0));
}

struct Memory {
  RaceOrder order;
  RaceShadow shadow{order};
  alignas(16) std::array<uint8_t, 64> bytes = {};

  RaceAccess at(unsigned thread, size_t offset, uint64_t size) {
    RaceAccess a;
    a.address = reinterpret_cast<uintptr_t>(bytes.data()) + offset;
    a.bytes = size;
    a.thread = thread;
    a.site = static_cast<uint16_t>(thread + 1);
    return a;
  }
  std::optional<Race> read(unsigned thread, size_t offset, uint64_t size = 4) {
    return shadow.access(at(thread, offset, size));
  }
  std::optional<Race> write(unsigned thread, size_t offset, uint64_t size = 4) {
    RaceAccess a = at(thread, offset, size);
    a.write = true;
    auto found = shadow.access(a);
    for (uint64_t k = 0; k < size; ++k) bytes[offset + k] = static_cast<uint8_t>(thread + 1);
    return found;
  }
  std::optional<Race> change(unsigned thread, size_t offset, uint64_t size = 4) {
    RaceAccess a = at(thread, offset, size);
    a.write = a.atomic = true;
    return shadow.access(a);
  }
};

void test_reads_and_writes_collide() {
  Memory m;
  m.order.begin(0, 0);
  CHECK(!m.read(1, 0) && !m.read(2, 0) && !m.write(3, 4) && !m.write(4, 8, 1) && !m.write(5, 9, 1));
  const auto found = m.write(1, 0);
  CHECK(found.has_value());
  CHECK_EQ(found->earlier.thread, 2U);
  CHECK(!found->earlier.write);
  CHECK_EQ(found->later.site, 2);
  const auto wide = m.read(6, 0, 8);
  CHECK(wide.has_value());
  m.order.barrier();
  CHECK(!m.read(7, 0, 16) && !m.shadow.settle());
}

void test_equal_values_do_not_collide() {
  Memory m;
  m.order.begin(0, 0);
  CHECK(!m.write(1, 0) && !m.write(2, 0));
  const auto found = m.shadow.settle();
  CHECK(found.has_value());
  CHECK(found->earlier.write && found->later.write);
  m.order.barrier();
  CHECK(!m.write(3, 8));
  RaceAccess same = m.at(4, 8, 4);
  same.write = true;
  CHECK(!m.shadow.access(same) && !m.shadow.settle());
}

void test_atomic_operations_collide_with_others() {
  Memory m;
  m.order.begin(0, 0);
  CHECK(!m.change(1, 0) && !m.change(2, 0) && !m.shadow.settle());
  CHECK(!m.read(3, 0) && !m.read(3, 12));
  CHECK(!m.change(3, 0));
  CHECK(!m.shadow.settle());  // it went on with an operation
  CHECK(!m.read(4, 0));
  CHECK(m.shadow.settle().has_value());
  CHECK(m.write(5, 0).has_value());
}

void test_regions_hold_what_they_hold() {
  Regions regions;
  std::vector<float> x(100);
  gpuarr::ArraySpan span;
  span.argument = 2;
  span.dtype = gpuarr::DType::f32;
  span.data = span.begin = x.data();
  span.end = x.data() + x.size();
  span.shape = "(100,)";
  span.name = "x";
  regions.add_argument(span);
  const auto begin = reinterpret_cast<uintptr_t>(x.data());
  CHECK(regions.find(begin, 400) != nullptr);
  CHECK(regions.find(begin + 396, 4) != nullptr);
  CHECK(regions.find(begin + 397, 4) == nullptr);
  CHECK(regions.find(begin - 1, 4) == nullptr);
  CHECK_EQ(regions.describe(begin + 400, 4),
           std::string("x[100] (args[2], float32, shape (100,)): 1 element behind its end"));
  CHECK_EQ(regions.describe(begin - 5, 4),
           std::string("x[-2] (args[2], float32, shape (100,)): 2 elements before its start"));
  CHECK_EQ(regions.describe(begin + 396, 8),
           std::string("x[99] (args[2], float32, shape (100,)), and reaches over its end"));
}

void test_places_are_grouped() {
  ThreadPlaces places;
  places.begin(4);
  places.wait(0, 3, nullptr);
  places.wait(1, 5, nullptr);
  places.wait(2, 3, nullptr);
  places.end(3, false);
  auto groups = places.groups();
  CHECK_EQ(groups.size(), size_t{3});
  CHECK_EQ(groups[0].count, 2U);
  CHECK_EQ(groups[1].first, 1U);
  CHECK(groups[2].state == ThreadPlaces::State::fell);
  places.run_all();
  CHECK_EQ(places.groups().size(), size_t{1});
}

void test_names_and_lines() {
  CHECK_EQ(short_name("_ZZ1kPfE4tile"), std::string("tile"));
  CHECK_EQ(short_name("table"), std::string("table"));
  CHECK_EQ(short_name("x"), std::string("x"));  // the demangler knows it as a type
  CHECK(variables_of("no ELF").empty());
  CHECK_EQ(innermost_line("0x10\n./gpuarr/host/x.cuh:3\n./k.cu:9 (discriminator 2)\n./k.cu:20\n"),
           std::string("k.cu:9"));
  CHECK_EQ(innermost_line("0x10\n??:0\n"), std::string("an unknown line"));
}

}  // namespace

int main() {
  test_barriers_order_a_block();
  test_lanes_that_meet_are_in_order();
  test_fences_and_atomics_order_blocks();
  test_reads_and_writes_collide();
  test_equal_values_do_not_collide();
  test_atomic_operations_collide_with_others();
  test_regions_hold_what_they_hold();
  test_places_are_grouped();
  test_names_and_lines();
  return check::result();
}
