// How long compiled code stays in the process: not for nobody, where memory runs out between its
// loading and its launch, and for good once it ran.
#include <link.h>

#include <string>
#include <string_view>

#include "check.hpp"
#include "failing_new.hpp"
#include "gpuarr/raw.h"
#include "host/backend.hpp"
#include "host/load/module.hpp"
#include "host/load/raw_module.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

int images_here() {
  int count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* place) {
        if (std::string_view(info->dlpi_name).starts_with("/proc/self/fd/"))
          ++*static_cast<int*>(place);
        return 0;
      },
      &count);
  return count;
}

// One allocation after another is the first that fails, until all go well: `use` gets what `load`
// gave, and neither runs anything.
template <class Load, class Use>
void test_no_memory(const Load& load, const Use& use) {
  const int before = images_here();
  int good = 0;
  for (bool done = false; !done; ++good) {
    good_allocations = good;
    try {
      const auto module = load();
      use(*module);
      good_allocations = -1;
      CHECK_EQ(images_here(), before + 1);
      done = true;
    } catch (const std::bad_alloc&) {
      good_allocations = -1;
    }
    CHECK_EQ(images_here(), before);
  }
  CHECK(good > 2);
}

void test_no_table(const std::string& image) {
  const int before = images_here();
  CHECK_FAILS(GPUARR_ERR_LOAD, "no table of kernels", [&] { host::load_raw_module(image); });
  CHECK_EQ(images_here(), before);
}

// A launch may still be under way.
void test_what_ran_stays(Device& device, const std::string& image, const std::string& raw) {
  const int before = images_here();
  const auto stream = device.create_stream(0);
  host::load_module(image)->function("k")->launch({1, 1, 0}, nullptr, 0, *stream);
  CHECK_EQ(images_here(), before + 1);
  int* place = nullptr;
  host::load_raw_module(raw)->function("k")->launch({}, &place, sizeof place, *stream);
  CHECK_EQ(images_here(), before + 2);
  *static_cast<int*>(host::load_raw_module(raw)->global("total").address) = 1;
  CHECK_EQ(images_here(), before + 3);
  stream->synchronize();
}

}  // namespace

int main() {
  Device& device = host::open_device(0);
  const std::string image =
      device.compile({"k", "extern \"C\" void k(const void*, long long, long long) {}\n", {}});
  test_no_memory([&] { return host::load_module(image); },
                 [](Module& module) { module.function("k"); });
  test_no_table(image);

  RawSource source = raw_source(R"(
template <class T> __device__ T& counter() { static T x; return ++x; }
__device__ int total;
__global__ void k(int* x) {
  __shared__ int y;
  y = counter<int>();
  if (x) *x = y;
})");
  const std::string plain = device.compile_raw(source);
  source.checks = GPUARR_CHECK_MEMORY;
  for (const std::string& raw : {plain, device.compile_raw(source)})
    test_no_memory([&] { return host::load_raw_module(raw); },
                   [](RawModule& module) {
                     module.kernels();
                     module.function("k");
                   });
  test_what_ran_stays(device, image, plain);
  return check::result();
}
