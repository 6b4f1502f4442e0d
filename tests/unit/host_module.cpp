// Loading compiled code: what is no code fails, what is equal in name stays apart.
#include <cstring>

#include "check.hpp"
#include "host/backend.hpp"
#include "host/load/module.hpp"

using namespace gpuarr;

namespace {

std::string image_returning(Device& device, int value) {
  return device.compile(
      {"k",
       "extern \"C\" void k(const void* p, long long, long long) { **(int**)p = " +
           std::to_string(value) + "; }\n",
       {}});
}

int result_of(Device& device, Function& function) {
  int value = -1;
  int* parameters = &value;
  function.launch({1, 1, 0}, &parameters, sizeof parameters, device.own_stream());
  device.synchronize();
  return value;
}

void test_equal_names_stay_apart(Device& device) {
  std::vector<std::shared_ptr<Function>> functions;
  functions.reserve(5);
  for (int i = 0; i < 5; ++i)
    functions.push_back(device.load(image_returning(device, i))->function("k"));
  for (int i = 0; i < 5; ++i) CHECK_EQ(result_of(device, *functions[static_cast<size_t>(i)]), i);
}

void test_bad_images(const std::string& good) {
  CHECK_FAILS(GPUARR_ERR_LOAD, "0 bytes", [] { host::load_module(""); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "too short", [] { host::load_module("\177ELF"); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "not ELF", [] { host::load_module(std::string(5000, 'x')); });
  for (size_t bytes = 0; bytes < good.size(); bytes += good.size() / 97 + 1) {
    try {
      host::load_module(good.substr(0, bytes));  // the end of the file is not mapped
      CHECK(bytes > good.size() / 3);
    } catch (const Error& error) {
      CHECK_EQ(error.status(), GPUARR_ERR_LOAD);
    }
  }
  std::string other = good;
  other[18] = static_cast<char>(other[18] + 1);  // e_machine
  CHECK_FAILS(GPUARR_ERR_LOAD, "another kind of processor", [&] { host::load_module(other); });
  other = good;
  other[4] = 1;  // 32 bits
  CHECK_FAILS(GPUARR_ERR_LOAD, "another kind of processor", [&] { host::load_module(other); });
  other = good;
  other[16] = 1;  // an object file
  CHECK_FAILS(GPUARR_ERR_LOAD, "not a shared object", [&] { host::load_module(other); });
  other = good;
  std::memset(other.data() + 32, 0xff, 8);  // e_phoff
  CHECK_FAILS(GPUARR_ERR_LOAD, "cut short", [&] { host::load_module(other); });
}

void test_missing_function(Device& device) {
  auto module = device.load(image_returning(device, 1));
  CHECK_FAILS(GPUARR_ERR_LOAD, "no function \"other\"", [&] { module->function("other"); });
}

void test_missing_symbol(Device& device) {
  const std::string image = device.compile(
      {"k", "extern \"C\" void nowhere();\nvoid f() { nowhere(); }\n", {"-Wl,-z,undefs"}});
  CHECK_FAILS(GPUARR_ERR_LOAD, "nowhere", [&] { device.load(image); });
}

}  // namespace

int main() {
  Device& device = host::open_device(0);
  test_equal_names_stay_apart(device);
  test_bad_images(image_returning(device, 1));
  test_missing_function(device);
  test_missing_symbol(device);
  return check::result();
}
