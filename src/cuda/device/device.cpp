// A GPU: its facts, memory and copies.
#include "cuda/device/device.hpp"

#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "cuda/compile/listing.hpp"
#include "cuda/device/module.hpp"
#include "cuda/device/raw_module.hpp"
#include "cuda/device/stream.hpp"
#include "gpuarr/device.h"

namespace gpuarr::cuda {
namespace {

int read(const Driver& api, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  api.device_get_attribute(&value, which, device);
  return value;
}

// "GPU-01234567-89ab-...", as nvidia-smi has it; of a part of a GPU (MIG) that part's own.
std::string identity_of(const Driver& api, CUdevice device) {
  CUuuid uuid{};
  api.device_get_uuid(&uuid, device);
  std::string text = "GPU";
  for (int k = 0; k < 16; ++k) {
    if (k == 0 || (k >= 4 && k <= 10 && k % 2 == 0)) text += '-';
    text += formatted("{:02x}", static_cast<unsigned char>(uuid.bytes[k]));
  }
  return text;
}

DeviceFacts gather_facts(const Driver& api, CUdevice device, int ordinal) {
  char name[256] = "";
  api.device_get_name(name, sizeof name, device);
  DeviceFacts facts;
  facts.kind = GPUARR_DEVICE_CUDA;
  facts.ordinal = ordinal;
  facts.name = formatted("cuda:{}", ordinal);
  facts.description = name;
  facts.identity = identity_of(api, device);
  facts.clock = formatted("GPU-{}", ordinal);
  facts.processors = read(api, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.compute_capability = 10 * read(api, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             read(api, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.l2_bytes = read(api, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts.shared_bytes = read(api, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  api.context_get_priorities(&facts.lowest_priority, &facts.highest_priority);
  return facts;
}

}  // namespace

std::unique_ptr<CudaDevice> CudaDevice::open(const Driver& api, int ordinal) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  api.device_get(&device, ordinal);
  api.primary_context_retain(&context, device);  // never released: it is other libraries' too
  api.context_set_current(context);
  DeviceFacts facts = gather_facts(api, device, ordinal);
  int shared = read(api, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return std::unique_ptr<CudaDevice>(new CudaDevice(api, context, std::move(facts), shared));
}

CudaDevice::CudaDevice(const Driver& api, CUcontext context, DeviceFacts facts, int shared_bytes)
    : Device(std::move(facts)),
      api_(api),
      context_(context),
      health_(health_of(context, this->facts().name)),
      shared_bytes_of_block_(shared_bytes),
      compiler_(this->facts().compute_capability, api.version / 1000) {}

bool CudaDevice::enter_quietly() const noexcept {
  if (fork_generation() != api_.generation || health_.is_lost() || host_function_runs) return false;
  CUcontext current = nullptr;
  if (api_.context_get_current.unchecked(&current) != CUDA_SUCCESS) return false;
  return current == context_ || api_.context_set_current.unchecked(context_) == CUDA_SUCCESS;
}

void CudaDevice::dispose(Destroy destroy, void* object) noexcept {
  if (enter_quietly()) return destroy(api_, object);
  if (!host_function_runs) return;
  try {
    std::lock_guard lock(mutex_);
    remains_.push_back({destroy, object});
    has_remains_ = true;
  } catch (...) {
    // There is no memory even to remember it.
  }
}

// Destroys what could not be at its time; called where that costs little in comparison.
void CudaDevice::clean_up() noexcept {
  if (!has_remains_) return;
  std::vector<Remains> remains;
  {
    std::lock_guard lock(mutex_);
    remains.swap(remains_);
    has_remains_ = false;
  }
  for (const Remains& r : remains) dispose(r.destroy, r.object);
}

Stream& CudaDevice::joiner() {
  {
    std::lock_guard lock(mutex_);
    if (joiner_) return *joiner_;
  }
  std::shared_ptr<Stream> made = create_stream(0, false);
  std::lock_guard lock(mutex_);
  if (!joiner_) joiner_.swap(made);
  return *joiner_;
}

int CudaDevice::attribute(CUdevice_attribute which) const {
  CUdevice device = 0;
  api_.device_get(&device, facts().ordinal);
  return read(api_, device, which);
}

void CudaDevice::check_foreign(const void* place) {
  enter();
  CUmemorytype type{};
  unsigned managed = 0;
  int ordinal = 0;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* values[] = {&type, &managed, &ordinal};
  api_.pointer_get_attributes(3, which, values, address(place));  // zeros if it is not CUDA's
  if (managed != 0 || type == CU_MEMORYTYPE_HOST) return;
  if (type == CU_MEMORYTYPE_DEVICE) {
    if (ordinal == facts().ordinal) return;
    fail(GPUARR_ERR_DEVICE, "data {} is memory of cuda:{}, but the device is {}", place, ordinal,
         facts().name);
  }
  if (attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0) return;
  fail(
      GPUARR_ERR_DEVICE,
      "data {} is ordinary memory of the host, which {} cannot use on this machine; give memory of "
      "the device, managed or registered memory, or copy it with gpuarr_array_from_host",
      place, facts().name);
}

std::shared_ptr<Stream> CudaDevice::create_stream(int priority, bool blocking) {
  clean_up();
  return CudaStream::create(*this, priority, blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
}

std::shared_ptr<Event> CudaDevice::create_event(bool timed) {
  clean_up();
  return std::make_shared<CudaEvent>(*this, timed);
}

void CudaDevice::synchronize() {
  lookouts().watch_all();
  enter();
  begin_wait();
  const CUresult result = api_.context_synchronize.unchecked();
  end_wait();
  // There may be captures by the driver's own functions.
  if (result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) fail_captured();
  if (result != CUDA_SUCCESS) api_.fail("cuCtxSynchronize", result);
  clean_up();
}

bool CudaDevice::can_access(Device& peer) {
  if (&peer == this || peer.facts().kind != facts().kind) return &peer == this;
  enter();
  CUdevice here = 0;
  CUdevice there = 0;
  int can = 0;
  api_.device_get(&here, facts().ordinal);
  api_.device_get(&there, peer.facts().ordinal);
  api_.device_can_access_peer(&can, here, there);
  return can != 0;
}

void CudaDevice::enable_access(Device& peer) {
  if (&peer == this || !can_access(peer)) return Device::enable_access(peer);
  api_.context_enable_peer.succeeds_unless(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
                                           static_cast<CudaDevice&>(peer).context_, 0);
}

void CudaDevice::copy(void* target, const void* source, int64_t bytes, Stream& stream) {
  enter();
  if (bytes == 0) return;
  // Addresses are unique among devices, so that this also copies from another one.
  api_.copy(address(target), address(source), static_cast<size_t>(bytes), native(stream));
}

void CudaDevice::copy_from_host(void* target, const void* source, int64_t bytes, Stream& stream) {
  enter();
  if (bytes == 0) return;
  api_.copy_from_host(address(target), source, static_cast<size_t>(bytes), native(stream));
}

void CudaDevice::copy_to_host(void* target, const void* source, int64_t bytes, Stream& stream) {
  enter();
  if (bytes == 0) return;
  api_.copy_to_host(target, address(source), static_cast<size_t>(bytes), native(stream));
}

void CudaDevice::clear(void* target, int64_t bytes, Stream& stream) {
  enter();
  if (bytes == 0) return;
  api_.set_bytes(address(target), 0, static_cast<size_t>(bytes), native(stream));
}

std::string CudaDevice::driver() {
  return formatted("CUDA {} ({})", version_text(api_.version), api_.library.path);
}

std::string CudaDevice::target() { return formatted("sm_{}", facts().compute_capability); }

std::shared_ptr<Module> CudaDevice::load(const std::string& image) {
  return std::make_shared<CudaModule>(*this, image);
}

std::shared_ptr<RawModule> CudaDevice::load_raw(const std::string& image) {
  return std::make_shared<CudaRawModule>(*this, unpack(image));
}

std::string CudaDevice::list(Listing listing, const RawSource* source, const std::string& image) {
  return list_code(compiler_, listing, source, image);
}

}  // namespace gpuarr::cuda
