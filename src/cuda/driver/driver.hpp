// The CUDA driver, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include <string>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/library.hpp"

namespace gpuarr::cuda {

constexpr int oldest_driver = 12000;

/// Each function is asked for in a fixed version, with that version's prototype, so that neither
/// newer headers nor newer drivers change what is called. The names of cuda.h that are macros are
/// never used. Calling one throws on any result but success, and names the function.
struct Driver {
  Driver(Library library, int version, PFN_cuGetProcAddress_v12000 get_address);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  void* find(const char* name, int version) const;
  void* find_optional(const char* name, int version) const;  // null if the driver is too old

  /// `kernel`: the one that the result is about, where that is known.
  [[noreturn]] void fail(const char* function, CUresult result, const char* kernel = nullptr) const;
  std::string describe(CUresult result) const;  // "CUDA_ERROR_OUT_OF_MEMORY: out of memory"

  /// Throws in a child of the process that opened the driver: it works in that one only.
  void check_process() const {
    if (fork_generation() != generation) [[unlikely]]
      fail_forked();
  }
  [[noreturn]] static void fail_forked();

  const Library library;
  const int version;  // 13000 for CUDA 13.0
  const uint32_t generation;
  const PFN_cuGetProcAddress_v12000 get_address;
  int device_count = 0;

  template <class F>
  using Fn = Call<Driver, F>;

  Fn<PFN_cuGetErrorName_v6000> get_error_name{*this, "cuGetErrorName", 6000};
  Fn<PFN_cuGetErrorString_v6000> get_error_string{*this, "cuGetErrorString", 6000};
  Fn<PFN_cuInit_v2000> init{*this, "cuInit", 2000};
  Fn<PFN_cuDeviceGetCount_v2000> device_get_count{*this, "cuDeviceGetCount", 2000};
  Fn<PFN_cuDeviceGet_v2000> device_get{*this, "cuDeviceGet", 2000};
  Fn<PFN_cuDeviceGetName_v2000> device_get_name{*this, "cuDeviceGetName", 2000};
  Fn<PFN_cuDeviceGetUuid_v11040> device_get_uuid{*this, "cuDeviceGetUuid", 11040};
  Fn<PFN_cuDeviceGetAttribute_v2000> device_get_attribute{*this, "cuDeviceGetAttribute", 2000};
  Fn<PFN_cuDeviceCanAccessPeer_v4000> device_can_access_peer{*this, "cuDeviceCanAccessPeer", 4000};
  Fn<PFN_cuDevicePrimaryCtxRetain_v7000> primary_context_retain{*this, "cuDevicePrimaryCtxRetain",
                                                                7000};
  Fn<PFN_cuCtxGetCurrent_v4000> context_get_current{*this, "cuCtxGetCurrent", 4000};
  Fn<PFN_cuCtxSetCurrent_v4000> context_set_current{*this, "cuCtxSetCurrent", 4000};
  Fn<PFN_cuCtxSynchronize_v2000> context_synchronize{*this, "cuCtxSynchronize", 2000};
  Fn<PFN_cuCtxEnablePeerAccess_v4000> context_enable_peer{*this, "cuCtxEnablePeerAccess", 4000};
  Fn<PFN_cuCtxGetStreamPriorityRange_v5050> context_get_priorities{
      *this, "cuCtxGetStreamPriorityRange", 5050};

  Fn<PFN_cuMemGetInfo_v3020> memory_get_info{*this, "cuMemGetInfo", 3020};
  Fn<PFN_cuMemAlloc_v3020> memory_allocate{*this, "cuMemAlloc", 3020};
  Fn<PFN_cuMemFree_v3020> memory_free{*this, "cuMemFree", 3020};
  Fn<PFN_cuMemAllocManaged_v6000> memory_allocate_managed{*this, "cuMemAllocManaged", 6000};
  Fn<PFN_cuMemHostAlloc_v2020> memory_allocate_host{*this, "cuMemHostAlloc", 2020};
  Fn<PFN_cuMemFreeHost_v2000> memory_free_host{*this, "cuMemFreeHost", 2000};
  Fn<PFN_cuMemPoolCreate_v11020> pool_create{*this, "cuMemPoolCreate", 11020};
  Fn<PFN_cuMemPoolSetAttribute_v11020> pool_set{*this, "cuMemPoolSetAttribute", 11020};
  Fn<PFN_cuMemPoolTrimTo_v11020> pool_trim{*this, "cuMemPoolTrimTo", 11020};
  Fn<PFN_cuMemAllocFromPoolAsync_v11020> pool_allocate{*this, "cuMemAllocFromPoolAsync", 11020};
  Fn<PFN_cuMemFreeAsync_v11020> pool_free{*this, "cuMemFreeAsync", 11020};
  Fn<PFN_cuPointerGetAttributes_v7000> pointer_get_attributes{*this, "cuPointerGetAttributes",
                                                              7000};
  Fn<PFN_cuMemcpyAsync_v4000> copy{*this, "cuMemcpyAsync", 4000};
  Fn<PFN_cuMemcpyHtoDAsync_v3020> copy_from_host{*this, "cuMemcpyHtoDAsync", 3020};
  Fn<PFN_cuMemcpyDtoHAsync_v3020> copy_to_host{*this, "cuMemcpyDtoHAsync", 3020};
  Fn<PFN_cuMemsetD8Async_v3020> set_bytes{*this, "cuMemsetD8Async", 3020};
  Fn<PFN_cuMemsetD16Async_v3020> set_shorts{*this, "cuMemsetD16Async", 3020};
  Fn<PFN_cuMemsetD32Async_v3020> set_words{*this, "cuMemsetD32Async", 3020};

  Fn<PFN_cuStreamCreateWithPriority_v5050> stream_create{*this, "cuStreamCreateWithPriority", 5050};
  Fn<PFN_cuStreamDestroy_v4000> stream_destroy{*this, "cuStreamDestroy", 4000};
  Fn<PFN_cuStreamSynchronize_v2000> stream_synchronize{*this, "cuStreamSynchronize", 2000};
  Fn<PFN_cuStreamQuery_v2000> stream_query{*this, "cuStreamQuery", 2000};
  Fn<PFN_cuStreamWaitEvent_v3020> stream_wait_event{*this, "cuStreamWaitEvent", 3020};
  Fn<PFN_cuStreamGetCtx_v9020> stream_get_context{*this, "cuStreamGetCtx", 9020};
  Fn<PFN_cuStreamGetPriority_v5050> stream_get_priority{*this, "cuStreamGetPriority", 5050};
  Fn<PFN_cuLaunchHostFunc_v10000> launch_host_function{*this, "cuLaunchHostFunc", 10000};
  Fn<PFN_cuStreamIsCapturing_v10000> stream_is_capturing{*this, "cuStreamIsCapturing", 10000};
  Fn<PFN_cuStreamBeginCapture_v10010> stream_begin_capture{*this, "cuStreamBeginCapture", 10010};
  Fn<PFN_cuStreamEndCapture_v10000> stream_end_capture{*this, "cuStreamEndCapture", 10000};
  Fn<PFN_cuStreamGetCaptureInfo_v11030> stream_get_capture{*this, "cuStreamGetCaptureInfo", 11030};
  Fn<PFN_cuStreamUpdateCaptureDependencies_v11030> stream_update_capture{
      *this, "cuStreamUpdateCaptureDependencies", 11030};
  Fn<PFN_cuGraphAddChildGraphNode_v10000> graph_add_child{*this, "cuGraphAddChildGraphNode", 10000};
  Fn<PFN_cuGraphGetNodes_v10000> graph_get_nodes{*this, "cuGraphGetNodes", 10000};
  Fn<PFN_cuGraphDestroy_v10000> graph_destroy{*this, "cuGraphDestroy", 10000};
  Fn<PFN_cuGraphInstantiateWithFlags_v11040> graph_instantiate{*this, "cuGraphInstantiateWithFlags",
                                                               11040};
  Fn<PFN_cuGraphExecUpdate_v12000> graph_exec_update{*this, "cuGraphExecUpdate", 12000};
  Fn<PFN_cuGraphLaunch_v10000> graph_launch{*this, "cuGraphLaunch", 10000};
  Fn<PFN_cuGraphExecDestroy_v10000> graph_exec_destroy{*this, "cuGraphExecDestroy", 10000};
  Fn<PFN_cuEventCreate_v2000> event_create{*this, "cuEventCreate", 2000};
  Fn<PFN_cuEventDestroy_v4000> event_destroy{*this, "cuEventDestroy", 4000};
  Fn<PFN_cuEventRecord_v2000> event_record{*this, "cuEventRecord", 2000};
  Fn<PFN_cuEventSynchronize_v2000> event_synchronize{*this, "cuEventSynchronize", 2000};
  Fn<PFN_cuEventQuery_v2000> event_query{*this, "cuEventQuery", 2000};
  Fn<PFN_cuEventElapsedTime_v2000> event_elapsed_time{*this, "cuEventElapsedTime", 2000};

  Fn<PFN_cuModuleLoadDataEx_v2010> module_load{*this, "cuModuleLoadDataEx", 2010};
  Fn<PFN_cuModuleUnload_v2000> module_unload{*this, "cuModuleUnload", 2000};
  Fn<PFN_cuModuleGetFunction_v2000> module_get_function{*this, "cuModuleGetFunction", 2000};
  Fn<PFN_cuModuleGetGlobal_v3020> module_get_global{*this, "cuModuleGetGlobal", 3020};
  Fn<PFN_cuFuncGetAttribute_v2020> function_get_attribute{*this, "cuFuncGetAttribute", 2020};
  Fn<PFN_cuFuncSetAttribute_v9000> function_set_attribute{*this, "cuFuncSetAttribute", 9000};
  Fn<PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050> occupancy_max_blocks{
      *this, "cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050};
  Fn<PFN_cuOccupancyMaxPotentialBlockSize_v6050> occupancy_best_block{
      *this, "cuOccupancyMaxPotentialBlockSize", 6050};
  Fn<PFN_cuOccupancyMaxActiveClusters_v11070> occupancy_max_clusters{
      *this, "cuOccupancyMaxActiveClusters", 11070};
  Fn<PFN_cuLaunchKernel_v4000> launch_kernel{*this, "cuLaunchKernel", 4000};
  Fn<PFN_cuLaunchKernelEx_v11060> launch_kernel_with{*this, "cuLaunchKernelEx", 11060};

  // Of later drivers, in the words of older headers.
  Fn<CUresult (*)(const char**, CUfunction)> function_get_name{*this, optional, "cuFuncGetName",
                                                               12030};
  Fn<CUresult (*)(CUfunction, size_t, size_t*, size_t*)> function_get_parameter{
      *this, optional, "cuFuncGetParamInfo", 12040};
  Fn<CUresult (*)(unsigned*, CUmodule)> module_count_functions{*this, optional,
                                                               "cuModuleGetFunctionCount", 12040};
  Fn<CUresult (*)(CUfunction*, unsigned, CUmodule)> module_list_functions{
      *this, optional, "cuModuleEnumerateFunctions", 12040};
};

/// The driver of this process; fails with what is missing, or in a forked child.
const Driver& driver();

/// GPUs that the driver shows; 0 where there is none or no driver. Does not fail.
int count_devices() noexcept;

std::string version_text(int version);  // "13.0" of 13000

}  // namespace gpuarr::cuda
