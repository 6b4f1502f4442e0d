// A GPU, used through its primary context.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/once.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/driver/driver.hpp"
#include "cuda/driver/fault.hpp"
#include "device/blas.hpp"
#include "device/device.hpp"
#include "device/host_function.hpp"
#include "device/solver.hpp"
#include "device/stream_table.hpp"

namespace gpuarr::cuda {

class CudaDevice final : public Device {
 public:
  static std::unique_ptr<CudaDevice> open(const Driver& api, int ordinal);

  /// Makes the context current on this thread, as every call that follows needs it. It stays so:
  /// restoring costs as much again, and CUDA's own libraries leave it too.
  void enter() const {
    api_.check_process();
    health_.check();
    check_host_function();
    CUcontext current = nullptr;
    api_.context_get_current(&current);
    if (current != context_) api_.context_set_current(context_);
  }

  /// The same for destructors: false if nothing can be freed any more, in a forked child, after a
  /// fault, or while the process ends; nor now, in a function that a stream runs.
  bool enter_quietly() const noexcept;

  /// Destroys something of the driver's: in a function that a stream runs, not before it is over.
  template <auto function, class T>
  void dispose(T* object) noexcept {
    dispose([](const Driver& api, void* o) { (api.*function).unchecked(static_cast<T*>(o)); },
            object);
  }

  const Driver& api() const { return api_; }
  CUcontext context() const { return context_; }
  Health& health() { return health_; }
  StreamTable& streams() { return streams_; }  // those that we made
  Stream& joiner();                            // in which streams meet whose handles are gone
  int shared_bytes_of_block() const { return shared_bytes_of_block_; }  // the most, with leave
  int attribute(CUdevice_attribute which) const;

  DeviceMemory memory() override;
  void* allocate(int64_t bytes, MemoryKind kind) override;
  void deallocate(void* block, MemoryKind kind) noexcept override;
  void* allocate_ordered(int64_t bytes, Stream& stream) override;
  void deallocate_ordered(void* data, Stream& stream) noexcept override;
  void trim_ordered() override;
  void check_foreign(const void* address) override;
  std::shared_ptr<Stream> create_stream(int priority, bool blocking = false) override;
  std::shared_ptr<Stream> borrow_stream(void* native) override;  // of borrowed_stream.cpp
  std::shared_ptr<Event> create_event(bool timed = true) override;
  void synchronize() override;
  bool can_access(Device& peer) override;
  void enable_access(Device& peer) override;
  void copy(void* target, const void* source, int64_t bytes, Stream& stream) override;
  void copy_from_host(void* target, const void* source, int64_t bytes, Stream& stream) override;
  void copy_to_host(void* target, const void* source, int64_t bytes, Stream& stream) override;
  void clear(void* target, int64_t bytes, Stream& stream) override;
  std::string compiler() override { return compiler_.description(); }
  std::string driver() override;
  std::string compile_identity() override { return compiler_.identity(); }
  std::string target() override;
  std::string compile(const Source& source) override { return compiler_.compile(source); }
  std::shared_ptr<Module> load(const std::string& image) override;
  std::string compile_raw(const RawSource& source) override {
    return compiler_.compile_raw(source);
  }
  std::shared_ptr<RawModule> load_raw(const std::string& image) override;
  std::string list(Listing listing, const RawSource* source, const std::string& image) override;
  bool run(const Builtin& builtin, Stream& stream) override;  // of builtin.cpp
  Blas& blas() override;                                      // of libraries/blas.cpp
  Solver& solver() override;                                  // of libraries/solver.cpp
  CommunicatorId communicator_id() override;                  // of libraries/communicator.cpp
  std::vector<std::unique_ptr<Communicator>> join(const CommunicatorId& id, int size,
                                                  std::span<const CommunicatorMember> members,
                                                  const Patience& patience) override;

 private:
  CudaDevice(const Driver& api, CUcontext context, DeviceFacts facts, int shared_bytes);
  std::shared_ptr<Stream> create_own_stream() override { return create_stream(0, true); }
  using Destroy = void (*)(const Driver&, void*);
  void dispose(Destroy destroy, void* object) noexcept;
  void clean_up() noexcept;

  struct Remains {
    Destroy destroy;
    void* object;
  };
  CUmemoryPool ordered_pool();

  const Driver& api_;
  CUcontext context_;
  Health& health_;
  int shared_bytes_of_block_;
  Compiler compiler_;
  StreamTable streams_;
  ForkSafeMutex mutex_;  // over the rest
  std::vector<Remains> remains_;
  std::atomic<bool> has_remains_{false};
  std::shared_ptr<Stream> joiner_;
  Once<CUmemoryPool> ordered_pool_;  // of the driver; goes with the context
  Once<Blas> blas_;
  Once<Solver> solver_;
};

inline CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline CUstream native(const Stream& stream) { return static_cast<CUstream>(stream.native()); }

}  // namespace gpuarr::cuda
