// Tests of raw modules on a GPU, on the stand-in for the driver: every form of code, and names.
#include <algorithm>

#include "cuda/backend.hpp"
#include "cuda/compile/image.hpp"
#include "cuda_fake.hpp"
#include "device/device.hpp"

using namespace gpuarr;
using fake::Setting;
using Strings = std::vector<std::string>;

namespace {

const std::string ptx = R"(//
.version 8.3
.target sm_80
.const .align 8 .b8 _ZN2ns5tableE[64];
.visible .global .align 4 .u32 counter;
.visible .entry _ZN2ns5scaleIfLi4EEEvPT_(
	.param .u64 p0
)
{ }
.visible .entry _Z4overPf(.param .u64 a) { }
.visible .entry _Z4overPdi(.param .u64 a, .param .u32 b) { }
.visible .entry plain(
	.param .align 8 .b8 a[24],
	.param .f32 b,
	.param .u64 .ptr .global c,
	.param .b8 d
)
{ }
.visible .entry none() { }
)";

std::string joined(const Strings& names) {
  std::string all;
  for (const std::string& name : names) all += name + "; ";
  return all;
}

void finds_kernels(Device& device) {
  auto module = device.load_raw(ptx);
  CHECK_EQ(joined(module->kernels()),
           "ns::scale<float, 4>; over(float*); over(double*, int); plain; none; ");
  for (const char* name : {"plain", "none", "ns::scale", "ns::scale<float,4>", "over(float*)",
                           "over(double*,int)", "_Z4overPf"})
    CHECK_EQ(module->function(name)->facts().name, name);
  CHECK_EQ(module->function("ns::scale")->facts().symbol, "_ZN2ns5scaleIfLi4EEEvPT_");
  CHECK_EQ(module->function("none")->facts().symbol, "none");
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND,
              "the module has no kernel \"scale\"; the kernels there are ns::scale<float, 4>, "
              "over(float*), over(double*, int), plain, none",
              [&] { module->function("scale"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND,
              "\"over\" matches several kernels; use one of these: over(float*) (_Z4overPf), "
              "over(double*, int) (_Z4overPdi)",
              [&] { module->function("over"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "no kernel \"k\"; the kernel there is only",
              [&] { device.load_raw(".version 8.0\n.entry only()\n")->function("k"); });
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "the module has no kernel \"k\"",
              [&] { device.load_raw(".version 8.0\n")->function("k"); });
}

void knows_parameters(Device& device) {
  auto module = device.load_raw(ptx);
  RawFacts facts = module->function("plain")->facts();
  CHECK(facts.parameters.has_value());
  std::string places;
  for (const RawParameter& p : facts.parameters.value_or(std::vector<RawParameter>()))
    places += std::to_string(p.offset) + ":" + std::to_string(p.bytes) + " ";
  CHECK_EQ(places, "0:24 24:4 32:8 40:1 ");
  CHECK_EQ(facts.max_threads, 1024);
  CHECK_EQ(facts.static_shared_bytes, 1024);
  CHECK_EQ(facts.max_dynamic_shared_bytes, 226 << 10);
  CHECK_EQ(module->function("none")->facts().parameters->size(), 0U);
}

// A driver older than 12.4 knows neither parameters nor the kernels of a fatbin.
void does_with_an_old_driver() {
  Setting lacks("FAKE_CUDA_LACKS", "cuFuncGetParamInfo");
  fake::in_child("an old driver", [] {
    Device& device = cuda::open_device(0);
    CHECK(!device.load_raw(ptx)->function("plain")->facts().parameters.has_value());
  });
}

void finds_variables(Device& device) {
  auto module = device.load_raw(ptx);
  RawGlobal counter = module->global("counter");
  CHECK_EQ(counter.bytes, 4);
  CHECK_EQ(module->global("counter").address, counter.address);
  RawGlobal table = module->global("ns::table");
  CHECK_EQ(table.bytes, 64);
  CHECK_EQ(module->global("_ZN2ns5tableE").address, table.address);
  auto stream = device.create_stream(0);
  double value = 2.5;
  device.copy_from_host(static_cast<double*>(table.address) + 7, &value, 8, *stream);
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND,
              "the module has no variable \"table\"; the variables there are ns::table, counter",
              [&] { module->global("table"); });
  Setting set("FAKE_CUDA_FAIL", "cuModuleGetGlobal:400");
  CHECK_FAILS(GPUARR_ERR_DRIVER, "cuModuleGetGlobal failed", [&] { module->global("counter"); });
}

std::string fatbin_of(const std::string& inner) {
  uint64_t bytes = inner.size();
  std::string image("P\355U\272\1\0\20\0", 8);
  return image + std::string(reinterpret_cast<const char*>(&bytes), 8) + inner;
}

void loads_fatbins(Device& device) {
  auto module = device.load_raw(fatbin_of(ptx));
  CHECK_EQ(joined(module->kernels()),
           "ns::scale<float, 4>; over(float*); over(double*, int); plain; none; ");
  CHECK_EQ(module->function("ns::scale")->facts().symbol, "_ZN2ns5scaleIfLi4EEEvPT_");
  CHECK(!module->function("plain")->facts().parameters.has_value());  // this driver cannot tell
  CHECK_EQ(module->global("ns::table").bytes, 64);
  CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "no variable \"nix\"", [&] { module->global("nix"); });
  std::string cut = fatbin_of(ptx);
  cut.pop_back();
  CHECK_FAILS(GPUARR_ERR_LOAD, "is cut short", [&] { device.load_raw(cut); });
}

// Then a kernel of a fatbin has to be called by its symbol.
void lists_nothing_with_an_old_driver() {
  Setting lacks("FAKE_CUDA_LACKS", "cuModuleGetFunctionCount");
  fake::in_child("an old driver and a fatbin", [] {
    auto module = cuda::open_device(0).load_raw(fatbin_of(ptx));
    CHECK_EQ(joined(module->kernels()), "");
    CHECK_EQ(module->function("plain")->facts().symbol, "plain");
    CHECK_EQ(module->function("_Z4overPf")->facts().symbol, "_Z4overPf");
    CHECK_FAILS(GPUARR_ERR_NOT_FOUND, "the module has no kernel \"over\"",
                [&] { module->function("over"); });
  });
}

void knows_instances(Device& device) {
  cuda::Image image{{{"scale4", "_ZN2ns5scaleIfLi4EEEvPT_"}, {"&t", "_ZN2ns5tableE"}}, ptx};
  auto module = device.load_raw(cuda::pack(image));
  CHECK_EQ(module->function("scale4")->facts().symbol, "_ZN2ns5scaleIfLi4EEEvPT_");
  CHECK_EQ(module->global("t").bytes, 64);
  CHECK_EQ(joined(module->kernels()), "scale4; over(float*); over(double*, int); plain; none; ");
  CHECK_FAILS(GPUARR_ERR_LOAD, "the compiled module is truncated",
              [&] { device.load_raw(cuda::pack(image).substr(0, 30)); });
}

void refuses_bad_code(Device& device) {
  CHECK_FAILS(GPUARR_ERR_LOAD, "the 5 bytes are text, but no PTX",
              [&] { device.load_raw("hello"); });
  std::string newer = ptx;
  newer.replace(newer.find("sm_80"), 5, "sm_99");
  CHECK_FAILS(GPUARR_ERR_LOAD,
              "cuda:0 (Fake GPU 0, sm_90, a driver of CUDA 13.0) cannot load the PTX of version "
              "8.3 for sm_99 and newer: CUDA_ERROR_INVALID_PTX: as its name says; the PTX is for "
              "newer GPUs: make it for compute_90\nptxas application ptx input, line 3; error   : "
              "as it was told",
              [&] { device.load_raw(newer); });
  {
    Setting set("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:222");
    CHECK_FAILS(GPUARR_ERR_LOAD, "make the PTX with a toolkit no newer than the driver, or update",
                [&] { device.load_raw(ptx); });
  }
  Setting set("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:200");
  CHECK_FAILS(GPUARR_ERR_LOAD, "cannot load the fatbin of",
              [&] { device.load_raw(fatbin_of("x")); });
}

void unloads_with_the_last_reference(Device& device) {
  int64_t live = fake::live();
  auto module = device.load_raw(ptx);
  auto function = module->function("plain");
  int64_t unloads = fake::calls("cuModuleUnload");
  module.reset();
  CHECK_EQ(fake::calls("cuModuleUnload"), unloads);
  CHECK_EQ(function->resident_blocks(256, 0), 8);
  function.reset();
  CHECK_EQ(fake::calls("cuModuleUnload"), unloads + 1);
  CHECK_EQ(fake::live(), live);
}

// From text, through NVRTC.
void compiles(Device& device) {
  try {
    device.compiler();
  } catch (const Error& e) {
    std::cerr << "NVRTC is not there: " << e.what() << '\n';
    return;
  }
  RawSource source;
  source.text =
      "namespace ns { __constant__ double table[8]; __device__ int counter; }\n"
      "struct P { char a[5000]; };\n"
      "template <class T, int N> __global__ void scale(T* x) { *x *= N; }\n"
      "extern \"C\" __global__ void plain(float* x, int n, double d, P p) {\n"
      "  x[n] = d + p.a[n] + ns::table[n] + ns::counter;\n"
      "}\n"
      "__global__ void named(char c, short s) {}\n";
  source.instances = {"scale<float, 4>", "scale<double,1>"};
  auto module = device.load_raw(device.compile_raw(source));
  Strings names = module->kernels();
  std::ranges::sort(names);
  CHECK_EQ(joined(names), "named; plain; scale<double,1>; scale<float, 4>; ");
  CHECK_EQ(module->function("scale<float, 4>")->facts().symbol, "_Z5scaleIfLi4EEvPT_");
  RawFacts facts = module->function("plain")->facts();
  CHECK_EQ(facts.parameters->size(), 4U);
  CHECK_EQ(facts.parameters->at(3).offset, 24);
  CHECK_EQ(facts.parameters->at(3).bytes, 5000);
  CHECK_EQ(module->function("named")->facts().parameters->at(1).offset, 2);
  CHECK_EQ(module->global("ns::table").bytes, 64);
  CHECK_EQ(module->global("ns::counter").bytes, 4);

  source.instances = {};
  std::string image = device.compile_raw(source);
  Setting old("FAKE_CUDA_CC", "75");
  CHECK_FAILS(GPUARR_ERR_LOAD, "which is for sm_90,", [&] { device.load_raw(image); });
}

}  // namespace

int main() {
  fake::require();
  does_with_an_old_driver();
  lists_nothing_with_an_old_driver();
  Device& device = cuda::open_device(0);
  finds_kernels(device);
  knows_parameters(device);
  finds_variables(device);
  loads_fatbins(device);
  knows_instances(device);
  refuses_bad_code(device);
  unloads_with_the_last_reference(device);
  compiles(device);
  CHECK_EQ(fake::live(), 0);
  return check::result();
}
