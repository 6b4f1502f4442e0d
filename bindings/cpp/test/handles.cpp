// The header in two units, one of them C++20: copies, moves, threads, and names of its own.
#include <thread>
#include <type_traits>
#include <typeinfo>

#include "check.hpp"
#include "second_unit.hpp"

using namespace gpuarr;

namespace {

static_assert(std::is_nothrow_move_constructible_v<Array> &&
              std::is_nothrow_move_assignable_v<Array>);
static_assert(std::is_nothrow_copy_constructible_v<Array> && std::is_copy_assignable_v<Array>);
static_assert(std::is_nothrow_move_constructible_v<Options> &&
              std::is_default_constructible_v<Array>);
static_assert(!std::is_copy_constructible_v<StreamScope> && !std::is_copy_constructible_v<Reclaim>);
static_assert(std::is_convertible_v<Array&, gpuarr_array*> &&
              !std::is_convertible_v<Array, gpuarr_array*>);
static_assert(std::is_convertible_v<const Array&, Arg> && std::is_convertible_v<float, Arg>);
static_assert(!std::is_convertible_v<const char*, Arg> && !std::is_convertible_v<Stream&, Arg>);
static_assert(!std::is_convertible_v<long double, Arg> &&
              !std::is_convertible_v<gpuarr_array*, Array>);
static_assert(sizeof(Array) == sizeof(gpuarr_array*) && sizeof(Device) == sizeof(gpuarr_device*));

void copies_are_references() {
  const int64_t before = gpuarr_live_objects();
  Array x = zeros(GPUARR_F32, {3});
  std::vector<Array> list(5, x);
  list.insert(list.begin(), Array());
  list.erase(list.begin() + 2);
  std::swap(list.front(), list.back());
  CHECK_EQ(gpuarr_live_objects(), before + 1);
  list[0].fill(2);
  CHECK(x.to_vector<float>() == std::vector<float>(3, 2));
  list.clear();
  Array y = std::move(x);
  check::equal(gpuarr_live_objects(), before + 1, "objects", __FILE__, __LINE__);
  *y.out() = nullptr;  // drops what was there
  CHECK_EQ(gpuarr_live_objects(), before);
}

void from_many_threads() {
  const Elementwise twice("T x", "T z", "z = 2 * x");
  const Array x = full(GPUARR_F32, {100}, 4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([twice, x] {
      for (int k = 0; k < 50; ++k) {
        const Array copy = x, z = twice(copy);
        if (z.to_vector<float>() != std::vector<float>(100, 8)) std::abort();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

void two_units() {
  Array x = made_in_the_second_unit();
  CHECK(x.to_vector<int32_t>() == (std::vector<int32_t>{1, 2, 3}));
  CHECK_FAILS(GPUARR_ERR_SHAPE, "(2,)", [] { thrown_in_the_second_unit(); });
  CHECK_EQ(counted_in_the_second_unit(x), 2);
  CHECK(&sum == sum_of_the_second_unit() && &pending == pending_of_the_second_unit());
  // The archive has a gpuarr::Error inside, which must not be taken for this one.
  CHECK(std::string(typeid(Error).name()).find("wrapper") != std::string::npos);
}

}  // namespace

int main() {
  check::choose_device();
  copies_are_references();
  from_many_threads();
  two_units();
  return check::result();
}
