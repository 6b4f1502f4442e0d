// The CPU device end to end: compile, load, launch, memory, streams and events.
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "host/backend.hpp"

using namespace gpuarr;

namespace {

struct Scale {
  const float* x;
  float* y;
  long long n;
  float factor;
};

const char* scale_text = R"(
struct Scale { const float* x; float* y; long long n; float factor; };
extern "C" void scale(const Scale* p, long long first, long long last) {
  const long long end = last * 1000 < p->n ? last * 1000 : p->n;
  for (long long i = first * 1000; i < end; ++i) p->y[i] = p->x[i] * p->factor;
}
)";

void test_kernel(Device& device) {
  auto module = device.load(device.compile({"scale", scale_text, {}}));
  auto function = module->function("scale");
  constexpr int n = 123456;
  std::vector<float> x(n), y(n);
  std::iota(x.begin(), x.end(), 0.0F);
  const Scale parameters{x.data(), y.data(), n, 3};
  Stream& stream = device.own_stream();
  function->launch({(n + 999) / 1000, 1, 0}, &parameters, sizeof parameters, stream);
  stream.synchronize();
  bool right = true;
  for (int i = 0; i < n; ++i) right &= y[static_cast<size_t>(i)] == static_cast<float>(i) * 3;
  CHECK(right);
  CHECK_FAILS(GPUARR_ERR_LOAD, "\"scala\"", [&] { module->function("scala"); });
  function->launch({0, 1, 0}, &parameters, sizeof parameters, stream);
}

void test_memory(Device& device) {
  for (int64_t bytes : {int64_t{1}, int64_t{512}, int64_t{1} << 20, (int64_t{16} << 20) + 3}) {
    void* block = device.allocate(bytes);
    CHECK(block != nullptr);
    CHECK_EQ(reinterpret_cast<uintptr_t>(block) % 512, 0U);
    std::memset(block, 1, static_cast<size_t>(bytes));
    device.deallocate(block);
  }
  CHECK(device.allocate(INT64_MAX) == nullptr);
  CHECK(device.allocate(INT64_MAX - 511) == nullptr);
  CHECK(device.allocate(device.memory().total * 2) == nullptr);
  device.deallocate(nullptr);
  const DeviceMemory memory = device.memory();
  CHECK(memory.free > 0 && memory.free <= memory.total);
}

void test_copies(Device& device) {
  constexpr size_t n = 5'000'003;
  std::vector<unsigned char> a(n), b(n), c(n);
  for (size_t i = 0; i < n; ++i) a[i] = static_cast<unsigned char>(i * 7 + i / 256);
  Stream& stream = device.own_stream();
  device.copy_from_host(b.data(), a.data(), n, stream);
  device.copy(c.data(), b.data(), n, stream);
  std::vector<unsigned char> d(n);
  device.copy_to_host(d.data(), c.data(), n, stream);
  CHECK(d == a);
  device.copy(a.data() + 1, a.data(), n - 1, stream);  // overlap
  stream.synchronize();
  CHECK(std::memcmp(a.data() + 1, d.data(), n - 1) == 0);
  device.copy(nullptr, nullptr, 0, stream);
}

void test_events(Device& device) {
  auto first = device.create_event(), last = device.create_event();
  CHECK(first->query());
  first->synchronize();
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "never recorded", [&] { last->microseconds_since(*first); });
  auto stream = device.create_stream(-3);
  CHECK_EQ(stream->priority(), 0);
  stream->wait(*first);
  stream->record(*first);
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "end was never", [&] { last->microseconds_since(*first); });
  stream->record(*last);
  stream->synchronize();
  CHECK(stream->query());
  CHECK(last->query());
  const double time = last->microseconds_since(*first);
  CHECK(time >= 0 && time < 1000);
}

}  // namespace

int main() {
  Device& device = host::open_device(0);
  CHECK(device.has_host_memory());
  CHECK_EQ(device.facts().name, "host");
  CHECK(!device.facts().description.empty());
  CHECK(device.facts().processors >= 1);
  CHECK(device.target().find(device.facts().description) != std::string::npos);
  CHECK(device.compile_identity().find("-O3") != std::string::npos);
  CHECK(device.compiler().find('/') != std::string::npos);
  CHECK_EQ(device.driver(), "");
  CHECK_FAILS(GPUARR_ERR_NO_DEVICE, "host:1", [] { host::open_device(1); });
  test_kernel(device);
  test_memory(device);
  test_copies(device);
  test_events(device);
  device.synchronize();
  return check::result();
}
