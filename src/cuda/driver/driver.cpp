// Finding and opening the driver, and its errors.
#include "cuda/driver/driver.hpp"

#include <memory>
#include <optional>

#include "core/once.hpp"
#include "core/settings.hpp"
#include "cuda/driver/fault.hpp"

namespace gpuarr::cuda {
namespace {

// Failures too are kept, so that asking for a device that cannot be there stays cheap.
struct Opened {
  std::unique_ptr<Driver> driver;
  std::optional<Error> failure;
};

Library find_library() {
  std::string tried;
  if (auto wanted = setting("GPUARR_LIBCUDA")) {
    if (Library library = open_library(*wanted, tried)) return library;
    fail(GPUARR_ERR_NO_DRIVER, "$GPUARR_LIBCUDA cannot be opened: {}", tried);
  }
  for (const char* name : {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"})
    if (Library library = open_library(name, tried)) return library;
  fail(GPUARR_ERR_NO_DRIVER,
       "no CUDA driver was found; install NVIDIA's driver, or set $GPUARR_LIBCUDA; tried {}",
       tried);
}

int checked_version(const Library& library) {
  auto get_version =
      reinterpret_cast<PFN_cuDriverGetVersion_v2020>(library.symbol("cuDriverGetVersion"));
  int version = 0;
  CUresult result = get_version ? get_version(&version) : CUDA_ERROR_STUB_LIBRARY;
  if (result == CUDA_ERROR_STUB_LIBRARY)
    throw Error(GPUARR_ERR_NO_DRIVER,
                formatted("{} is a stub for linking and not a CUDA driver; remove its directory "
                          "from $LD_LIBRARY_PATH, or set $GPUARR_LIBCUDA",
                          library.path),
                result);
  if (result != CUDA_SUCCESS)
    throw Error(GPUARR_ERR_DRIVER,
                formatted("cuDriverGetVersion failed with code {} in {}", static_cast<int>(result),
                          library.path),
                result);
  if (version < oldest_driver)
    fail(GPUARR_ERR_DRIVER_TOO_OLD,
         "the driver {} is for CUDA {}; CUDA {} or newer is needed: update NVIDIA's driver",
         library.path, version_text(version), version_text(oldest_driver));
  return version;
}

std::unique_ptr<Driver> open_driver() {
  Library library = find_library();
  int version = checked_version(library);
  auto get_address =
      reinterpret_cast<PFN_cuGetProcAddress_v12000>(library.symbol("cuGetProcAddress_v2"));
  if (get_address == nullptr)
    fail(GPUARR_ERR_DRIVER, "the driver {} has no cuGetProcAddress_v2; reinstall NVIDIA's driver",
         library.path);
  auto driver = std::make_unique<Driver>(std::move(library), version, get_address);
  if (!driver->init.succeeds_unless(CUDA_ERROR_NO_DEVICE, 0)) return driver;  // it shows no GPU
  driver->device_get_count(&driver->device_count);
  return driver;
}

const Opened& opened() {
  static auto* once = new Once<Opened>;  // never destroyed: devices use it until the end
  return once->get([] {
    auto result = std::make_unique<Opened>();
    try {
      result->driver = open_driver();
    } catch (const Error& e) {
      result->failure = e;
    }
    return result;
  });
}

}  // namespace

Driver::Driver(Library opened, int its_version, PFN_cuGetProcAddress_v12000 its_get_address)
    : library(std::move(opened)),
      version(its_version),
      generation(fork_generation()),
      get_address(its_get_address) {}

void* Driver::find_optional(const char* name, int wanted) const {
  void* address = nullptr;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
  CUresult result = get_address(name, &address, wanted, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found);
  return result == CUDA_SUCCESS ? address : nullptr;
}

void* Driver::find(const char* name, int wanted) const {
  void* address = find_optional(name, wanted);
  if (address == nullptr)
    gpuarr::fail(GPUARR_ERR_DRIVER, "the driver {} (CUDA {}) has no {} of version {}", library.path,
                 version_text(version), name, version_text(wanted));
  return address;
}

// Which device is lost, the driver does not say; every call is made in the context of its own.
void Driver::fail(const char* function, CUresult result, const char* kernel) const {
  if (result == CUDA_ERROR_DEINITIALIZED)
    throw Error(
        GPUARR_ERR_DRIVER,
        formatted("{} failed: the process is exiting, and the driver has shut down", function),
        result);
  std::string report = formatted("{} failed: {}", function, describe(result));
  CUcontext context = nullptr;
  if (is_sticky(result) && context_get_current.unchecked(&context) == CUDA_SUCCESS)
    if (Health* health = find_health(context)) health->lose(report, result, kernel);
  throw Error(is_sticky(result) ? GPUARR_ERR_FAULT : GPUARR_ERR_DRIVER, std::move(report), result);
}

std::string Driver::describe(CUresult result) const {
  const char* name = nullptr;
  const char* meaning = nullptr;
  get_error_name.unchecked(result, &name);
  get_error_string.unchecked(result, &meaning);
  if (name == nullptr || meaning == nullptr)
    return formatted("CUDA error {}", static_cast<int>(result));
  return formatted("{}: {}", name, meaning);
}

void Driver::fail_forked() {
  gpuarr::fail(GPUARR_ERR_FORKED,
               "this process was forked from one that had used CUDA, and the driver does not work "
               "in a forked child; fork before the first call, or start a new program (exec)");
}

const Driver& driver() {
  const Opened& state = opened();
  if (!state.driver) throw *state.failure;
  state.driver->check_process();
  return *state.driver;
}

int count_devices() noexcept {
  try {
    const Opened& state = opened();
    return state.driver ? state.driver->device_count : 0;
  } catch (...) {
    return 0;  // no memory
  }
}

std::string version_text(int version) {
  return formatted("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace gpuarr::cuda
