#include "backends.hpp"

#include <charconv>
#include <cstring>

#include "codegen/targets.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "device/allocator_kinds.hpp"
#include "gpuarr/device.h"
#include "host/backend.hpp"
#include "ops/base/algorithms.hpp"
#ifdef GPUARR_HAS_CUDA
#include "core/range.hpp"
#include "cuda/backend.hpp"
#include "cuda/driver/nvtx.hpp"
#endif
#ifdef GPUARR_HAS_SERIAL  // tests/backend, in no library that is installed
#include "backend/backend.hpp"
#endif

namespace gpuarr {
namespace {

// The table: one row for each backend that was compiled in. The first that has a device is the
// default.
struct Backend {
  int32_t kind;
  const char* name;              // of its devices: "cuda", "cuda:1"
  bool numbered;                 // there may be several
  int (*count)();                // 0 where there is no driver; does not fail
  Device& (*open)(int ordinal);  // fails with a message that says what is missing
  const Target& target;
  const Algorithms& algorithms;
  std::string_view architecture;  // its processors' names begin so
  std::string (*compile_raw)(const std::string& architecture, const RawSource& source);
};

constexpr Backend backends[] = {
#ifdef GPUARR_HAS_CUDA
    {GPUARR_DEVICE_CUDA, "cuda", true, cuda::device_count, cuda::open_device, cuda_target,
     gpu_algorithms, "sm_", cuda::compile_raw},
#endif
    {GPUARR_DEVICE_HOST, "host", false, [] { return 1; }, host::open_device, host_target,
     cpu_algorithms, "host", host::compile_raw},
#ifdef GPUARR_HAS_SERIAL
    {serial::kind, "serial", false, [] { return 1; }, serial::open_device, host_target,
     cpu_algorithms, "serial", nullptr},
#endif
};

// "cuda:3" is {"cuda", 3}; "cuda" is {"cuda", 0}.
bool split_name(std::string_view name, std::string_view& backend, int& ordinal) {
  size_t colon = name.find(':');
  backend = name.substr(0, colon);
  ordinal = 0;
  if (colon == std::string_view::npos) return true;
  const char* end = name.data() + name.size();
  auto [rest, error] = std::from_chars(name.data() + colon + 1, end, ordinal);
  return error == std::errc() && rest == end && ordinal >= 0;
}

Device& open_named(std::string_view name, const char* origin) {
  std::string_view wanted;
  int ordinal = 0;
  const bool is_name = split_name(name, wanted, ordinal);
  for (const Backend& backend : backends)
    if (is_name && wanted == backend.name && (backend.numbered || ordinal == 0))
      return backend.open(ordinal);
  if (is_name && wanted == "cuda")
    fail(GPUARR_ERR_UNSUPPORTED, "{} is \"{}\", but this libgpuarr was built without CUDA", origin,
         name);
  fail(GPUARR_ERR_NO_DEVICE, "{} is \"{}\"; a device is \"host\", \"cuda\" or \"cuda:N\"", origin,
       name);
}

Device& find_device(const char* name) {
  if (name != nullptr) return open_named(name, "name");
  if (auto wanted = setting("GPUARR_DEVICE")) return open_named(*wanted, "$GPUARR_DEVICE");
  for (const Backend& backend : backends)
    if (backend.count() > 0) return backend.open(0);
  return host_device();
}

const Backend& backend_of(const Device& device) {
  for (const Backend& backend : backends)
    if (backend.kind == device.facts().kind) return backend;
  fail(GPUARR_ERR_INTERNAL, "{} is of kind {}, which no backend has", device.facts().name,
       device.facts().kind);
}

}  // namespace

const Target& target_of(const Device& device) { return backend_of(device).target; }

const Algorithms& algorithms_of(const Device& device) { return backend_of(device).algorithms; }

Architecture architecture_of(std::string_view name) {
  for (const Backend& backend : backends)
    if (name.starts_with(backend.architecture) && backend.compile_raw != nullptr)
      return {backend.target, backend.compile_raw};
  fail(GPUARR_ERR_UNSUPPORTED, "target is \"{}\"; it may be \"host\"{}", name,
       std::size(backends) > 1 ? ", or a GPU's architecture, such as \"sm_90\"" : "");
}

int device_count(int32_t kind) {
  for (const Backend& backend : backends)
    if (backend.kind == kind) return backend.count();
  if (kind == GPUARR_DEVICE_CUDA) return 0;  // this libgpuarr was built without
  fail(GPUARR_ERR_ARGUMENT, "kind is {}; give GPUARR_DEVICE_HOST (1) or GPUARR_DEVICE_CUDA (2)",
       kind);
}

// Its headers come with CUDA's; what it shows are also the CPU's kernels.
void find_range_tool() {
#ifdef GPUARR_HAS_CUDA
  range_tool = cuda::nvtx();
#endif
}

Device& open_device(const char* name) {
  find_range_tool();
  Device& device = find_device(name);
  set_allocator_from_environment(device);
  return device;
}

Device& open_device(int32_t kind, int ordinal) {
  for (const Backend& backend : backends)
    if (kind == backend.kind) {
      Device& device = backend.open(ordinal);
      set_allocator_from_environment(device);
      return device;
    }
  return open_device(formatted("cuda:{}", ordinal).c_str());  // fails: it was built without
}

Device& host_device() { return host::open_device(0); }

}  // namespace gpuarr
