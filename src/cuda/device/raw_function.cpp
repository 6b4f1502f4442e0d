// Launching a kernel of a user's own module.
#include "cuda/device/raw_function.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "gpuarr/raw.h"

namespace gpuarr::cuda {
namespace {

// The driver's attributes come in the order of ours, up to the last that is a function's.
constexpr int32_t last_of_driver = GPUARR_ATTRIBUTE_CLUSTER_POLICY;
static_assert(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == GPUARR_ATTRIBUTE_MAX_THREADS - 1 &&
              CU_FUNC_ATTRIBUTE_NUM_REGS == GPUARR_ATTRIBUTE_REGISTERS - 1 &&
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ==
                  GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES - 1 &&
              CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED ==
                  GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER - 1 &&
              CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE == last_of_driver - 1);

CUfunction_attribute native_attribute(int32_t attribute) {
  if (attribute < 1 || attribute > last_of_driver)
    fail(GPUARR_ERR_ARGUMENT, "attribute {} is not an attribute of compiled kernels", attribute);
  return static_cast<CUfunction_attribute>(attribute - 1);
}

bool is_plain(const RawLaunch& launch) { return !launch.cooperative && launch.cluster.x == 0; }

std::string triple(const Dim3& d) { return formatted("({}, {}, {})", d.x, d.y, d.z); }

// Nothing if the driver cannot tell; an index past the last parameter is an invalid value to it.
std::optional<std::vector<RawParameter>> ask_parameters(const Driver& api, CUfunction function) {
  if (!api.function_get_parameter) return std::nullopt;
  std::vector<RawParameter> parameters;
  for (size_t i = 0;; ++i) {
    size_t offset = 0;
    size_t bytes = 0;
    CUresult result = api.function_get_parameter.unchecked(function, i, &offset, &bytes);
    if (result == CUDA_ERROR_INVALID_VALUE) return parameters;
    if (result != CUDA_SUCCESS) return std::nullopt;
    parameters.push_back({static_cast<int64_t>(offset), static_cast<int64_t>(bytes), ""});
  }
}

}  // namespace

CudaRawFunction::CudaRawFunction(CudaDevice& device, CUfunction function, const std::string& name,
                                 std::string symbol, std::shared_ptr<CudaRawModule> module)
    : device_(device),
      function_(function),
      kept_name_(keep_name(name)),
      module_(std::move(module)) {
  facts_.name = name;
  facts_.symbol = std::move(symbol);
  read_facts();
}

int CudaRawFunction::read(CUfunction_attribute attribute) const {
  int value = 0;
  device_.api().function_get_attribute(&value, attribute, function_);
  return value;
}

void CudaRawFunction::read_facts() {
  facts_.max_threads = read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  facts_.static_shared_bytes = read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  facts_.max_dynamic_shared_bytes = device_.shared_bytes_of_block() - facts_.static_shared_bytes;
  shared_allowed_ = read(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  facts_.parameters = ask_parameters(device_.api(), function_);
  if (!facts_.parameters) facts_.parameters = module_->parameters(facts_.symbol);
}

// Above 48 KiB a kernel needs leave. It is given once and in full, as far as the device goes.
void CudaRawFunction::allow_shared(int64_t bytes) {
  int64_t most = facts_.max_dynamic_shared_bytes;
  if (bytes <= shared_allowed_.load(std::memory_order_relaxed) || bytes > most) return;
  device_.api().function_set_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(most));
  shared_allowed_.store(most, std::memory_order_relaxed);
}

// The driver reads the arguments as they lie, so that none needs its own pointer.
void CudaRawFunction::launch(const RawLaunch& launch, const void* arguments, size_t bytes,
                             Stream& stream) {
  device_.enter();
  if (stream.captures()) [[unlikely]]
    stream.keep(module_);
  // A stream that is captured does no work yet.
  bool waits = launch.checks != 0 && !stream.is_capturing();
  if (waits) [[unlikely]]
    wait(stream, nullptr);
  if (launch.shared_bytes > shared_allowed_.load(std::memory_order_relaxed)) [[unlikely]] {
    if (launch.shared_bytes > facts_.max_dynamic_shared_bytes)
      fail_launch(launch, CUDA_ERROR_INVALID_VALUE);
    allow_shared(launch.shared_bytes);
  }
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<void*>(arguments),
                    CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  void** extra = bytes != 0 ? packed : nullptr;
  CUresult result = start(launch, extra, stream);
  if (result == CUDA_ERROR_INVALID_VALUE && launch.shared_bytes > 0) [[unlikely]] {
    // The driver's limit is the kernel's, and may have been lowered through another object of it.
    shared_allowed_ = read(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    allow_shared(launch.shared_bytes);
    result = start(launch, extra, stream);
  }
  if (result != CUDA_SUCCESS) [[unlikely]]
    fail_launch(launch, result);
  device_.health().note_launch(kept_name_);
  if (waits) [[unlikely]] {
    wait(stream, kept_name_);
    module_->tell_report(facts_.name, stream);
  }
}

CUresult CudaRawFunction::start(const RawLaunch& launch, void** extra, Stream& stream) const {
  if (!is_plain(launch)) return launch_with(launch, extra, stream);
  const Dim3& grid = launch.grid;
  const Dim3& block = launch.block;
  return device_.api().launch_kernel.unchecked(function_, grid.x, grid.y, grid.z, block.x, block.y,
                                               block.z, static_cast<unsigned>(launch.shared_bytes),
                                               native(stream), nullptr, extra);
}

CUresult CudaRawFunction::launch_with(const RawLaunch& launch, void** extra, Stream& stream) const {
  CUlaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (launch.cooperative) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[count++].value.cooperative = 1;
  }
  if (launch.cluster.x != 0) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[count++].value.clusterDim = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  }
  CUlaunchConfig config{};
  config.gridDimX = launch.grid.x;
  config.gridDimY = launch.grid.y;
  config.gridDimZ = launch.grid.z;
  config.blockDimX = launch.block.x;
  config.blockDimY = launch.block.y;
  config.blockDimZ = launch.block.z;
  config.sharedMemBytes = static_cast<unsigned>(launch.shared_bytes);
  config.hStream = native(stream);
  config.attrs = attributes;
  config.numAttrs = count;
  return device_.api().launch_kernel_with.unchecked(&config, function_, nullptr, extra);
}

// With checks, a launch begins when the work before it has ended well, and is waited for: then a
// fault is its own.
void CudaRawFunction::wait(Stream& stream, const char* kernel) {
  const Driver& api = device_.api();
  CUresult result = api.stream_synchronize.unchecked(native(stream));
  if (result != CUDA_SUCCESS) api.fail("cuStreamSynchronize", result, kernel);
}

std::string CudaRawFunction::limits(const RawLaunch& launch) {
  const CudaDevice& d = device_;
  std::string result = formatted(
      "{} takes grids up to ({}, {}, {}), blocks up to ({}, {}, {}), and of this kernel {} threads "
      "and {} bytes of dynamic shared memory in a block",
      d.facts().name, d.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
      d.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
      d.attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
      d.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
      d.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
      d.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z), facts_.max_threads,
      facts_.max_dynamic_shared_bytes);
  if (launch.cooperative) {
    auto threads = static_cast<int>(std::min<int64_t>(launch.block.count(), facts_.max_threads));
    result +=
        formatted("; cooperative, at most {} blocks of this size",
                  int64_t{d.facts().processors} * resident_blocks(threads, launch.shared_bytes));
  }
  if (launch.cluster.x != 0)
    result +=
        "; the grid has to be a multiple of the cluster, of at most 8 blocks, or 16 if "
        "GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER is set";
  return result;
}

void CudaRawFunction::fail_launch(const RawLaunch& launch, CUresult result) {
  const Driver& api = device_.api();
  bool is_clusters = launch.cluster.x != 0 && device_.facts().compute_capability < 90;
  if (is_clusters || result == CUDA_ERROR_NOT_SUPPORTED)
    throw Error(
        GPUARR_ERR_UNSUPPORTED,
        formatted("\"{}\" cannot be launched on {} like this: {}; {}", facts_.name,
                  device_.facts().name, api.describe(result),
                  is_clusters ? formatted("clusters need compute capability 9.0, and it has {}.{}",
                                          device_.facts().compute_capability / 10,
                                          device_.facts().compute_capability % 10)
                              : limits(launch)),
        result);
  switch (result) {
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      throw Error(
          GPUARR_ERR_ARGUMENT,
          formatted(
              "\"{}\" cannot be launched with grid {}, block {}{} and {} bytes of dynamic shared "
              "memory: {}; {}",
              facts_.name, triple(launch.grid), triple(launch.block),
              launch.cluster.x != 0 ? formatted(", cluster {}", triple(launch.cluster)) : "",
              launch.shared_bytes, api.describe(result), limits(launch)),
          result);
    default:
      api.fail(is_plain(launch) ? "cuLaunchKernel" : "cuLaunchKernelEx", result);
  }
}

int64_t CudaRawFunction::attribute(int32_t attribute) {
  CUfunction_attribute which = native_attribute(attribute);
  device_.enter();
  int value = 0;
  CUresult result = device_.api().function_get_attribute.unchecked(&value, which, function_);
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED)
    throw Error(GPUARR_ERR_UNSUPPORTED,
                formatted("the driver (CUDA {}) does not know attribute {} of \"{}\"",
                          version_text(device_.api().version), attribute, facts_.name),
                result);
  if (result != CUDA_SUCCESS) device_.api().fail("cuFuncGetAttribute", result);
  return value;
}

void CudaRawFunction::set_attribute(int32_t attribute, int64_t value) {
  CUfunction_attribute which = native_attribute(attribute);
  device_.enter();
  CUresult result = value < INT32_MIN || value > INT32_MAX
                        ? CUDA_ERROR_INVALID_VALUE
                        : device_.api().function_set_attribute.unchecked(function_, which,
                                                                         static_cast<int>(value));
  bool refused = result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED;
  if (refused)
    throw Error(
        result == CUDA_ERROR_INVALID_VALUE ? GPUARR_ERR_ARGUMENT : GPUARR_ERR_UNSUPPORTED,
        formatted(
            "attribute {} of \"{}\" cannot be {} on {}: {}; dynamic shared memory may be at most "
            "{} bytes",
            attribute, facts_.name, value, device_.facts().name, device_.api().describe(result),
            facts_.max_dynamic_shared_bytes),
        result);
  if (result != CUDA_SUCCESS) device_.api().fail("cuFuncSetAttribute", result);
  if (which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    shared_allowed_.store(value, std::memory_order_relaxed);
  resident_.store(0, std::memory_order_relaxed);
  best_.store(0, std::memory_order_relaxed);
}

// Asked before every launch of some callers, so the last answer is kept: 16 bits of threads, 32 of
// bytes, 16 of the answer.
int CudaRawFunction::resident_blocks(int threads, int64_t shared_bytes) {
  uint64_t question = uint64_t(threads) << 48 | uint64_t(uint32_t(shared_bytes)) << 16;
  uint64_t known = resident_.load(std::memory_order_relaxed);
  if (known != 0 && (known & ~uint64_t{0xffff}) == question) return int(known & 0xffff);
  device_.enter();
  allow_shared(shared_bytes);
  int blocks = 0;
  device_.api().occupancy_max_blocks(&blocks, function_, threads, size_t(shared_bytes));
  resident_.store(question | uint64_t(blocks), std::memory_order_relaxed);
  return blocks;
}

int CudaRawFunction::best_block(int64_t shared_bytes) {
  uint64_t question = uint64_t(uint32_t(shared_bytes)) << 32;
  uint64_t known = best_.load(std::memory_order_relaxed);
  if (known != 0 && (known & ~uint64_t{0xffffffff}) == question) return int(known & 0xffffffff);
  device_.enter();
  allow_shared(shared_bytes);
  int blocks = 0;
  int threads = 0;
  device_.api().occupancy_best_block(&blocks, &threads, function_, nullptr, size_t(shared_bytes),
                                     0);
  if (threads < 1)
    fail(GPUARR_ERR_ARGUMENT,
         "no block of \"{}\" with {} bytes of dynamic shared memory fits a processor of {}",
         facts_.name, shared_bytes, device_.facts().name);
  best_.store(question | uint64_t(threads), std::memory_order_relaxed);
  return threads;
}

}  // namespace gpuarr::cuda
