// Raw kernels on a GPU by the C API, on the stand-in for the driver: older drivers, checks, what
// every call says of a device that is lost.
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "cuda_fake.hpp"
#include "gpuarr.h"
#include "temporary_directory.hpp"

using fake::in_child;
using fake::Setting;

namespace {

const std::string ptx = R"(.version 8.3
.target sm_80
.visible .global .align 1 .b8 loose[16];
.visible .entry _Z5saxpyfPKfPfi(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) {}
.visible .entry plain(.param .f32 a, .param .u64 x, .param .u32 n) {}
.visible .entry none() {}
)";

// The status, and that the message has a part.
void expect(gpuarr_status got, gpuarr_status wanted, const char* part, int line) {
  if (got == wanted && (*part == '\0' || std::strstr(gpuarr_last_error(), part) != nullptr)) return;
  check::report(__FILE__, line) << "expected " << gpuarr_status_name(wanted) << " with \"" << part
                                << "\", but got " << gpuarr_status_name(got) << ": "
                                << gpuarr_last_error() << '\n';
}
#define OK(call) expect((call), GPUARR_OK, "", __LINE__)
#define FAILS(call, status, part) expect((call), (status), (part), __LINE__)

const int64_t one[3] = {1, 1, 1};

// What the calls below work on; everything is released at the end.
struct Bench {
  gpuarr_device* gpu = nullptr;
  gpuarr_module* module = nullptr;
  gpuarr_array* x = nullptr;
  std::vector<gpuarr_raw*> kernels;

  explicit Bench(const std::string& code) {
    const int64_t shape[] = {8};
    OK(gpuarr_device_open(&gpu, "cuda:0"));
    OK(gpuarr_array_zeros(&x, gpu, GPUARR_F32, 1, shape, GPUARR_ORDER_C, nullptr));
    OK(gpuarr_module_load(&module, code.data(), static_cast<int64_t>(code.size())));
  }
  ~Bench() {
    for (gpuarr_raw* kernel : kernels) gpuarr_raw_release(kernel);
    gpuarr_array_release(x);
    gpuarr_module_release(module);
    CHECK_EQ(gpuarr_live_objects(), 0);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  gpuarr_raw* kernel(const char* name, const char* params = nullptr) {
    gpuarr_raw* made = nullptr;
    OK(gpuarr_module_kernel(&made, module, name, params));
    kernels.push_back(made);
    return made;
  }
};

gpuarr_status launch(gpuarr_raw* kernel, const std::vector<gpuarr_arg>& args) {
  return gpuarr_raw_launch(kernel, one, one, 0, args.data(), static_cast<int32_t>(args.size()),
                           nullptr);
}

template <class T>
T parameter(size_t offset) {
  T value;
  std::memcpy(&value, fake::last_launch().parameters + offset, sizeof value);
  return value;
}

// The symbol tells the types, and these the places.
void reads_types_off_the_symbol() {
  Bench b(ptx);
  gpuarr_raw* saxpy = b.kernel("saxpy");
  const gpuarr_arg x = gpuarr_arg_array(b.x);
  const char* signature = nullptr;
  OK(gpuarr_raw_signature(&signature, saxpy, b.gpu));
  CHECK_EQ(std::string(signature), "saxpy(float, const float*, float*, int)");
  OK(launch(saxpy, {gpuarr_arg_f32(2.5F), x, x, gpuarr_arg_i32(7)}));
  CHECK_EQ(fake::last_launch().bytes, 28);
  CHECK_EQ(parameter<float>(0), 2.5F);
  CHECK_EQ(parameter<const void*>(8), gpuarr_array_data(b.x));
  CHECK_EQ(parameter<int>(24), 7);
  FAILS(launch(saxpy, {gpuarr_arg_f32(2.5F), x, x}), GPUARR_ERR_ARGUMENT,
        "arg_count is 3, but saxpy(float, const float*, float*, int) has 4 parameters");
  FAILS(launch(saxpy, {gpuarr_arg_f64(2.5), x, x, gpuarr_arg_i32(7)}), GPUARR_ERR_DTYPE,
        "args[0] is a float64 (8 bytes), but that parameter of saxpy(float, const float*, float*, "
        "int) is float; give gpuarr_arg_f32");
  FAILS(launch(saxpy, {gpuarr_arg_f32(2), x, x, x}), GPUARR_ERR_DTYPE, "args[3] is an array");

  gpuarr_call* call = nullptr;
  const gpuarr_arg args[] = {gpuarr_arg_f32(2), x, x, gpuarr_arg_i32(7)};
  OK(gpuarr_raw_prepare(&call, saxpy, one, one, 0, args, 4, nullptr));
  OK(gpuarr_call_set_scalar(call, 3, gpuarr_arg_i32(-9)));
  OK(gpuarr_call_launch(call, nullptr));
  CHECK_EQ(parameter<int>(24), -9);
  gpuarr_call_release(call);
}

// Nothing tells of a kernel in C but what is declared, or given.
void takes_what_is_declared() {
  Bench b(ptx);
  const gpuarr_arg x = gpuarr_arg_array(b.x), a = gpuarr_arg_f32(1.5F), n = gpuarr_arg_i32(3);
  gpuarr_raw* plain = b.kernel("plain");
  const char* signature = nullptr;
  OK(gpuarr_raw_signature(&signature, plain, b.gpu));
  CHECK_EQ(std::string(signature), "plain(...)");
  OK(launch(plain, {a, x, n}));
  CHECK_EQ(fake::last_launch().bytes, 20);
  CHECK_EQ(parameter<int>(16), 3);
  const char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  OK(launch(plain, {gpuarr_arg_bytes(bytes, 4), x, n}));
  CHECK_EQ(fake::last_launch().bytes, 20);
  FAILS(launch(plain, {a, gpuarr_arg_bytes(bytes, 8), n}), GPUARR_ERR_UNSUPPORTED,
        "args[1] is 8 bytes, and this driver does not tell where they lie behind the 4 bytes "
        "before; put structs first, or use a driver of CUDA 12.4 or newer");
  const std::vector<char> large(40000);
  FAILS(launch(plain, {gpuarr_arg_bytes(large.data(), 40000), x, n}), GPUARR_ERR_ARGUMENT,
        "the arguments take more than the 32764 bytes that a kernel can get");
  gpuarr_raw* declared = b.kernel("plain", "float a, const float* x, int n");
  FAILS(launch(declared, {a, x}), GPUARR_ERR_ARGUMENT, "has 3 parameters");
  FAILS(launch(declared, {gpuarr_arg_i32(1), x, n}), GPUARR_ERR_DTYPE, "give gpuarr_arg_f32");
}

// A cubin has the places in it.
void reads_places_off_the_cubin() {
  Bench b(ptx);
  gpuarr_module* text = nullptr;
  gpuarr_raw* kernel = nullptr;
  OK(gpuarr_module_create(&text,
                          "struct box { char c[3]; }; struct wide { double d; int n; };\n"
                          "extern \"C\" __global__ void k(char c, box b, wide w, short s) {}\n"
                          "extern \"C\" __global__ void none() {}\n",
                          nullptr));
  OK(gpuarr_module_kernel(&kernel, text, "k", nullptr));
  b.kernels.push_back(kernel);
  const gpuarr_status built = gpuarr_module_build(text, b.gpu);
  gpuarr_module_release(text);
  if (built == GPUARR_ERR_NO_LIBRARY) {
    std::cerr << "NVRTC is not there: " << gpuarr_last_error() << '\n';
    return;
  }
  OK(built);
  const char box[] = {1, 2, 3}, wide[16] = {9};
  const std::vector<gpuarr_arg> args = {gpuarr_arg_i8(7), gpuarr_arg_bytes(box, 3),
                                        gpuarr_arg_bytes(wide, 16), gpuarr_arg_i16(-5)};
  gpuarr_stream* stream = nullptr;
  OK(gpuarr_stream_current(&stream, b.gpu));
  OK(gpuarr_raw_launch(kernel, one, one, 0, args.data(), 4, stream));
  gpuarr_stream_release(stream);
  CHECK_EQ(fake::last_launch().bytes, 26);
  CHECK_EQ(parameter<char>(0), 7);
  CHECK_EQ(parameter<char>(3), 3);
  CHECK_EQ(parameter<char>(8), 9);
  CHECK_EQ(parameter<short>(24), -5);
  FAILS(launch(kernel, {gpuarr_arg_i8(7)}), GPUARR_ERR_ARGUMENT, "has 4 parameters");
}

// One of several kernels of a name.
void tells_overloads_apart() {
  Bench b(ptx);
  gpuarr_module* text = nullptr;
  OK(gpuarr_module_create(&text,
                          "template <class T> struct pair { T a, b; };\n"
                          "__global__ void over(float* x) {}\n"
                          "__global__ void over(pair<int>* x, int n) {}\n",
                          nullptr));
  const gpuarr_arg x = gpuarr_arg_array(b.x), none = gpuarr_arg_pointer(nullptr);
  gpuarr_raw *first = nullptr, *second = nullptr, *any = nullptr, *symbol = nullptr;
  OK(gpuarr_module_kernel(&first, text, "over(float*)", nullptr));
  OK(gpuarr_module_kernel(&second, text, "over(pair<int>*, int)", nullptr));
  OK(gpuarr_module_kernel(&any, text, "over", nullptr));
  OK(gpuarr_module_kernel(&symbol, text, "_Z4overPf", nullptr));
  b.kernels = {first, second, any, symbol};
  const gpuarr_status built = gpuarr_module_build(text, b.gpu);
  gpuarr_module_release(text);
  if (built == GPUARR_ERR_NO_LIBRARY) return;
  OK(built);
  OK(launch(first, {x}));
  CHECK_EQ(std::string(fake::last_launch().name), "_Z4overPf");
  OK(launch(second, {none, gpuarr_arg_i32(3)}));
  OK(launch(symbol, {x}));
  FAILS(launch(symbol, {gpuarr_arg_i64(1)}), GPUARR_ERR_DTYPE, "is float* (8 bytes)");
  FAILS(launch(any, {}), GPUARR_ERR_NOT_FOUND, "\"over\" matches several kernels");
}

void checks_compiled_code() {
  Bench b(ptx);
  TemporaryDirectory directory;
  const std::string path = directory / "k.ptx";
  std::ofstream(path) << ptx;
  gpuarr_kernel_options* options = nullptr;
  gpuarr_module* module = nullptr;
  OK(gpuarr_kernel_options_create(&options));
  OK(gpuarr_kernel_options_set_check(options, GPUARR_CHECK_MEMORY));
  OK(gpuarr_module_open(&module, path.c_str(), options));
  gpuarr_raw* kernel = nullptr;
  OK(gpuarr_module_kernel(&kernel, module, "none", nullptr));
  b.kernels.push_back(kernel);
  gpuarr_module_release(module);
  const int64_t waits = fake::calls("cuStreamSynchronize");
  OK(launch(b.kernel("none"), {}));
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits);
  OK(launch(kernel, {}));
  CHECK_EQ(fake::calls("cuStreamSynchronize"), waits + 2);
  OK(gpuarr_kernel_options_set_loop_prep(options, "int a;"));
  FAILS(gpuarr_module_open(&module, path.c_str(), options), GPUARR_ERR_ARGUMENT, "loop_prep");
  gpuarr_kernel_options_release(options);
}

void sets_attributes_before_the_first_launch() {
  Bench b(ptx);
  gpuarr_raw* kernel = b.kernel("none");
  int64_t value = 0;
  OK(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_SHARED_CARVEOUT, 30));
  const int64_t sets = fake::calls("cuFuncSetAttribute");
  OK(launch(kernel, {}));
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), sets + 1);
  OK(launch(kernel, {}));
  CHECK_EQ(fake::calls("cuFuncSetAttribute"), sets + 1);
  OK(gpuarr_raw_attribute(&value, kernel, GPUARR_ATTRIBUTE_SHARED_CARVEOUT, b.gpu));
  CHECK_EQ(value, 30);
  // What the device cannot do shows at each launch.
  OK(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1 << 30));
  for (int round = 0; round < 2; ++round)
    FAILS(launch(kernel, {}), GPUARR_ERR_ARGUMENT, "dynamic shared memory may be at most 231424");
  OK(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES, 1000));
  OK(launch(kernel, {}));
  Setting set("FAKE_CUDA_FAIL", "cuFuncGetAttribute:1");
  FAILS(gpuarr_raw_attribute(&value, kernel, GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X, b.gpu),
        GPUARR_ERR_UNSUPPORTED, "does not know attribute 12");
}

void keeps_devices_apart() {
  Bench b(ptx);
  gpuarr_device* host = nullptr;
  gpuarr_array *there = nullptr, *loose = nullptr;
  OK(gpuarr_device_open(&host, "host"));
  OK(gpuarr_array_to_device(&there, b.x, host, nullptr));
  const gpuarr_arg here = gpuarr_arg_array(b.x), elsewhere = gpuarr_arg_array(there);
  FAILS(launch(b.kernel("saxpy"), {gpuarr_arg_f32(1), here, elsewhere, gpuarr_arg_i32(1)}),
        GPUARR_ERR_DEVICE, "args[2] is an array on host, but the launch is on cuda:0");
  gpuarr_array_release(there);
  gpuarr_call* call = nullptr;
  gpuarr_stream* of_host = nullptr;
  OK(gpuarr_stream_current(&of_host, host));
  OK(gpuarr_raw_prepare(&call, b.kernel("none"), one, one, 0, nullptr, 0, b.gpu));
  FAILS(gpuarr_call_launch(call, of_host), GPUARR_ERR_DEVICE,
        "stream belongs to device host, but the work is for device cuda:0");
  gpuarr_call_release(call);
  gpuarr_stream_release(of_host);
  OK(gpuarr_module_global(&loose, b.module, "loose", GPUARR_U8, b.gpu));
  gpuarr_array_release(loose);
  FAILS(gpuarr_module_global(&loose, b.module, "loose", GPUARR_F64, b.gpu), GPUARR_ERR_DTYPE,
        "\"loose\" does not lie at a multiple of 8 bytes, as a float64 has to; declare it "
        "__align__(8)");
}

void says_what_is_missing() {
  Setting nvrtc("GPUARR_NVRTC", "/nowhere/libnvrtc.so");
  Bench b(ptx);
  gpuarr_module* text = nullptr;
  OK(gpuarr_module_create(&text, "__global__ void k() {}", nullptr));
  FAILS(gpuarr_module_build(text, b.gpu), GPUARR_ERR_NO_LIBRARY, "/nowhere/libnvrtc.so");
  gpuarr_module_release(text);
  in_child("a fork", [&] {
    FAILS(gpuarr_module_build(b.module, b.gpu), GPUARR_ERR_FORKED, "forked");
    FAILS(launch(b.kernel("none"), {}), GPUARR_ERR_FORKED, "forked");
  });
}

// By every function that asks the device something.
void says_that_the_device_is_lost() {
  Bench b(ptx);
  gpuarr_raw* kernel = b.kernel("none");
  gpuarr_call* call = nullptr;
  OK(gpuarr_raw_prepare(&call, kernel, one, one, 0, nullptr, 0, b.gpu));
  {
    Setting set("FAKE_CUDA_FAULT", "700");
    OK(launch(kernel, {}));
  }
  const char* lost = "cuda:0 faulted before";
  FAILS(gpuarr_device_synchronize(b.gpu), GPUARR_ERR_FAULT, "compute-sanitizer");
  FAILS(launch(kernel, {}), GPUARR_ERR_FAULT, lost);
  FAILS(gpuarr_raw_launch_1d(kernel, 1, nullptr, 0, nullptr), GPUARR_ERR_FAULT, lost);
  FAILS(gpuarr_call_launch(call, nullptr), GPUARR_ERR_FAULT, lost);
  FAILS(launch(b.kernel("saxpy"), {}), GPUARR_ERR_FAULT, lost);
  int64_t value = 7;
  int32_t count = 7;
  gpuarr_array* array = nullptr;
  const char* name = "";
  FAILS(gpuarr_raw_attribute(&value, kernel, GPUARR_ATTRIBUTE_REGISTERS, b.gpu), GPUARR_ERR_FAULT,
        lost);
  CHECK_EQ(value, 0);
  FAILS(gpuarr_raw_occupancy(&count, kernel, 32, 0, b.gpu), GPUARR_ERR_FAULT, lost);
  FAILS(gpuarr_raw_best_block(&count, kernel, 0, b.gpu), GPUARR_ERR_FAULT, lost);
  FAILS(gpuarr_module_global(&array, b.module, "loose", GPUARR_U8, b.gpu), GPUARR_ERR_FAULT, lost);
  OK(gpuarr_module_kernel_name(&name, b.module, 0, b.gpu));  // what is known already
  gpuarr_call_release(call);
}

}  // namespace

int main() {
  fake::require();
  setenv("GPUARR_DEVICE", "cuda:0", 1);
  {
    Setting lacks("FAKE_CUDA_LACKS", "cuFuncGetParamInfo");
    in_child("reads_types_off_the_symbol", reads_types_off_the_symbol);
    in_child("takes_what_is_declared", takes_what_is_declared);
    in_child("reads_places_off_the_cubin", reads_places_off_the_cubin);
  }
  in_child("tells_overloads_apart", tells_overloads_apart);
  in_child("checks_compiled_code", checks_compiled_code);
  in_child("sets_attributes_before_the_first_launch", sets_attributes_before_the_first_launch);
  in_child("keeps_devices_apart", keeps_devices_apart);
  in_child("says_what_is_missing", says_what_is_missing);
  in_child("says_that_the_device_is_lost", says_that_the_device_is_lost);
  return check::result();
}
