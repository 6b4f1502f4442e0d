// Tests of loading and launching on a GPU, on the stand-in for the driver.
#include <thread>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda/device/module.hpp"
#include "cuda_fake.hpp"

using namespace gpuarr;
using fake::Setting;

namespace {

const std::string ptx = ".version 9.0\n.target sm_90\n.entry scale\n";

struct Parameters {
  void* data;
  int64_t count;
};

void launches(Device& device, Device& other) {
  auto stream = device.create_stream(0);
  auto function = device.load(ptx)->function("scale");  // the function keeps the module
  int marker = 0;
  Parameters parameters{&marker, 12345};
  other.synchronize();  // its context is current now
  function->launch({7, 256, 0}, &parameters, sizeof parameters, *stream);
  fake_launch last = fake::last_launch();
  CHECK_EQ(std::string(last.name), "scale");
  CHECK_EQ(last.device, 0);
  CHECK_EQ(last.blocks, 7U);
  CHECK_EQ(last.threads, 256U);
  CHECK_EQ(last.shared_bytes, 0U);
  CHECK_EQ(last.stream, stream->native());
  CHECK(std::memcmp(last.parameters, &parameters, sizeof parameters) == 0);
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), 0);
}

void shared_memory(Device& device) {
  auto stream = device.create_stream(0);
  auto function = device.load(ptx)->function("scale");
  Parameters parameters{};
  for (int i = 0; i < 2; ++i)
    function->launch({1, 32, 100 << 10}, &parameters, sizeof parameters, *stream);
  CHECK_EQ(fake::last_launch().shared_bytes, 100U << 10);
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), 1);
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE", [&] {
    function->launch({1, 32, 300 << 10}, &parameters, sizeof parameters, *stream);
  });
}

void clusters(Device& device) {
  auto function = device.load(ptx)->function("scale");
  const int64_t before = fake::calls("cuOccupancyMaxActiveClusters");
  for (int k = 0; k < 2; ++k) CHECK_EQ(function->resident_clusters(4, 512, 100 << 10), 66);
  CHECK_EQ(fake::calls("cuOccupancyMaxActiveClusters"), before + 1);  // known
  CHECK_EQ(function->resident_clusters(4, 512, 10 << 10), 132);
}

void bad_images(Device& device) {
  CHECK_FAILS(GPUARR_ERR_LOAD, "the 0 bytes are text, but no PTX", [&] { device.load(""); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "the 7 bytes are text, but no PTX", [&] { device.load("garbage"); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "neither PTX, nor a cubin, nor a fatbin",
              [&] { device.load(ptx.substr(0, 20) + std::string(3, '\0') + ptx.substr(20)); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "the cubin of 13 bytes is cut short",
              [&] { device.load("\177ELF_________"); });
  std::string cut(100, '\0');
  cut.replace(0, 4, "\177ELF");
  cut[18] = static_cast<char>(190);  // for CUDA
  cut[40] = 99;  // the section table starts past the end, counting its two sections
  cut[58] = 64;
  cut[60] = 2;
  CHECK_FAILS(GPUARR_ERR_LOAD, "the cubin of 100 bytes is cut short", [&] { device.load(cut); });
  {
    Setting set("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:209");
    CHECK_FAILS(GPUARR_ERR_LOAD, "9.0 for sm_90 and newer: CUDA_ERROR_NO_BINARY_FOR_GPU",
                [&] { device.load(ptx); });
  }
  {
    Setting set("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:2");
    CHECK_FAILS(GPUARR_ERR_DRIVER, "cuModuleLoadDataEx failed: CUDA_ERROR_OUT_OF_MEMORY",
                [&] { device.load(ptx); });
  }
  CHECK_FAILS(GPUARR_ERR_LOAD, "has no kernel named \"other\"",
              [&] { device.load(ptx)->function("other"); });
  Setting set("FAKE_CUDA_FAIL", "cuModuleGetFunction:400");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuModuleGetFunction failed: CUDA_ERROR_INVALID_HANDLE",
              [&] { device.load(ptx)->function("scale"); });
}

void errors(Device& device) {
  auto stream = device.create_stream(0);
  auto function = device.load(ptx)->function("scale");
  Parameters parameters{};
  Setting set("FAKE_CUDA_FAIL", "cuLaunchKernel:400");
  CHECK_FAILS(GPUARR_ERR_DRIVER,
              "cuLaunchKernel failed: CUDA_ERROR_INVALID_HANDLE: as its name says", [&] {
                function->launch({1, 1, 0}, &parameters, sizeof parameters, *stream);
              });
}

void threads(Device& device) {
  auto function = device.load(ptx)->function("scale");
  std::vector<std::thread> crowd;
  crowd.reserve(4);
  for (int t = 0; t < 4; ++t)
    crowd.emplace_back([&] {
      auto stream = device.create_stream(0);
      Parameters parameters{};
      for (int i = 0; i < 50; ++i)
        function->launch({1, 32, 64 << 10}, &parameters, sizeof parameters, *stream);
    });
  int64_t before = fake::calls("cuLaunchKernel");
  for (auto& thread : crowd) thread.join();
  CHECK(fake::calls("cuLaunchKernel") >= before);
  CHECK_EQ(fake::last_launch().shared_bytes, 64U << 10);
}

// What NVRTC makes goes through the same door as everything else.
void compiles(Device& device) {
  try {
    device.compiler();
  } catch (const Error& e) {
    std::cerr << "NVRTC is not there: " << e.what() << '\n';
    return;
  }
  std::string image = device.compile({"twice",
                                      "struct P { double* x; long long n; };\n"
                                      "extern \"C\" __global__ void twice("
                                      "const __grid_constant__ P p) { p.x[0] *= 2; }",
                                      {}});
  auto function = device.load(image)->function("twice");
  auto stream = device.create_stream(0);
  Parameters parameters{nullptr, 1};
  function->launch({1, 1, 0}, &parameters, sizeof parameters, *stream);
  CHECK_EQ(std::string(fake::last_launch().name), "twice");
  image.resize(image.size() / 2);
  CHECK_FAILS(GPUARR_ERR_LOAD, "is cut short", [&] { device.load(image); });
}

}  // namespace

int main() {
  fake::require();
  Setting set("FAKE_CUDA_DEVICES", "2");
  Device& device = cuda::open_device(0);
  Device& other = cuda::open_device(1);
  launches(device, other);
  shared_memory(device);
  clusters(device);
  bad_images(device);
  errors(device);
  threads(device);
  compiles(device);
  CHECK_EQ(fake::live(), 0);
  return check::result();
}
