// The interface that every backend implements. A backend compiles text and launches what comes out;
// it knows nothing of elementwise or reduction.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device/allocator.hpp"
#include "device/budget.hpp"
#include "device/builtin.hpp"
#include "device/communicator.hpp"
#include "device/compile.hpp"
#include "device/lookouts.hpp"
#include "device/raw.hpp"
#include "device/stream.hpp"

namespace gpuarr {

class Blas;
class Solver;
class PinnedPool;
class Pool;

struct LaunchShape {
  int64_t blocks = 1;    // at most 2^31 - 1
  int threads = 1;       // of a block; the CPU device ignores it
  int shared_bytes = 0;  // dynamic shared memory of a block
};

/// A compiled kernel. It takes one struct by value, the parameters.
///
/// On a GPU it is `extern "C" __global__ void name(const __grid_constant__ P p)`. On the CPU it is
/// `extern "C" void name(const P* p, long long first, long long last)` and does the work of the
/// blocks first ... last-1; it is called from several threads for parts of the grid.
class Function {
 public:
  virtual ~Function() = default;
  /// Runs after the stream's earlier work. `parameters` is read before the call returns.
  virtual void launch(const LaunchShape& shape, const void* parameters, size_t bytes,
                      Stream& stream) = 0;
  /// How many blocks of so many threads a processor runs side by side.
  virtual int resident_blocks(int /*threads*/) { return 1; }
  /// How many clusters the device runs side by side, of blocks of so many threads with so much
  /// dynamic shared memory.
  virtual int resident_clusters(int /*blocks*/, int /*threads*/, int /*shared_bytes*/) { return 1; }
};

class Module {
 public:
  virtual ~Module() = default;
  virtual std::shared_ptr<Function> function(const std::string& name) = 0;  // keeps the module
};

struct DeviceFacts {
  int32_t kind = 0;  // GPUARR_DEVICE_...; DLPack's number for such a device
  int ordinal = 0;
  std::string name;         // "host", "cuda:0"
  std::string description;  // "NVIDIA H200"
  std::string identity;     // the same for whoever has this very device; "" where it means nothing
  int processors = 1;
  int compute_capability = 0;  // 90 for 9.0
  int64_t l2_bytes = 0;
  int64_t shared_bytes = 0;  // of a processor
  int lowest_priority = 0;
  int highest_priority = 0;
  std::string clock;                 // whose time work on it is measured in, for people
  int64_t most_blocks = 2147483647;  // of a launch
  bool host_memory = false;          // its memory is the program's own
  bool ordered_launches = true;      // launches of one stream never overlap, whoever makes them
  int64_t memory_gap = 0;            // bytes behind every piece of memory that hold nothing
};

struct DeviceMemory {
  int64_t free = 0;
  int64_t total = 0;
};

class Device {
 public:
  explicit Device(DeviceFacts facts);
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual DeviceMemory memory() = 0;
  virtual void* allocate(int64_t bytes,
                         MemoryKind kind = MemoryKind::device) = 0;  // 512-aligned; null: no room
  virtual void deallocate(void* block, MemoryKind kind = MemoryKind::device) noexcept = 0;
  /// The same out of what the driver keeps ready, in the order of a stream; without such a driver
  /// an ordinary block.
  virtual void* allocate_ordered(int64_t bytes, Stream& stream);
  virtual void deallocate_ordered(void* data, Stream& stream) noexcept;
  virtual void trim_ordered() {}

  /// Fails with GPUARR_ERR_DEVICE, naming the memory, if work on the device cannot use it.
  virtual void check_foreign(const void* /*address*/) {}

  /// A blocking one waits for CUDA's legacy default stream, and is waited for by it.
  virtual std::shared_ptr<Stream> create_stream(int priority, bool blocking = false) = 0;
  /// A stream of another library; null: the device's own. Its handle may be destroyed once what
  /// this returns is released: arrays and the pool hold the stream without it, and do not use the
  /// handle from then on.
  virtual std::shared_ptr<Stream> borrow_stream(void* native);
  virtual std::shared_ptr<Event> create_event(bool timed = true) = 0;
  virtual void synchronize() = 0;

  virtual bool can_access(Device& peer);     // that kernels here could, if they were allowed to
  virtual void enable_access(Device& peer);  // allows them to

  // Contiguous bytes, in the order of the stream. The host's memory must stay until the stream is
  // past the copy. `copy` may read from another device of the same backend; the others are copies
  // like any where the device has the program's own memory.
  virtual void copy(void* target, const void* source, int64_t bytes, Stream& stream) = 0;
  virtual void copy_from_host(void* target, const void* source, int64_t bytes, Stream& stream);
  virtual void copy_to_host(void* target, const void* source, int64_t bytes, Stream& stream);
  virtual void clear(void* target, int64_t bytes, Stream& stream) = 0;  // all bits are 0

  virtual std::string compiler() = 0;          // name, version, place; fails if there is none
  virtual std::string driver() { return ""; }  // likewise; "" where there is no such thing

  /// What the compiled image depends on besides the source: compiler, its version, the target.
  virtual std::string compile_identity() = 0;
  virtual std::string target() = 0;                       // for people: "sm_90", a CPU's name
  virtual std::string compile(const Source& source) = 0;  // throws CompileError
  virtual std::shared_ptr<Module> load(const std::string& image) = 0;

  // The same for CUDA C++ of a user's own. load_raw() also takes PTX, cubins and fatbins, where
  // the device does.
  virtual std::string compile_raw(const RawSource& source);  // throws CompileError
  virtual std::shared_ptr<RawModule> load_raw(const std::string& image);
  /// The code for people to read; `source` is null if the image was given as it is.
  virtual std::string list(Listing listing, const RawSource* source, const std::string& image);

  /// Runs a precompiled loop; false if the device has none and a kernel must be compiled.
  virtual bool run(const Builtin& /*builtin*/, Stream& /*stream*/) { return false; }

  virtual Blas& blas();      // opened when first asked for; fails with what to install
  virtual Solver& solver();  // likewise

  /// So many processes use it alike, this one among them, on the same CPUs where it is the CPU.
  virtual void share(int /*processes*/) {}

  /// Makes a group of `size` devices, of which the members are those of this process; returns when
  /// all processes have called it. `id` is what one of them made.
  virtual CommunicatorId communicator_id();
  virtual std::vector<std::unique_ptr<Communicator>> join(
      const CommunicatorId& id, int size, std::span<const CommunicatorMember> members,
      const Patience& patience);  // which the members keep

  const DeviceFacts& facts() const { return facts_; }
  bool has_host_memory() const { return facts_.host_memory; }
  int index() const { return index_; }  // small, unique in the process
  Stream& own_stream();
  Pool& pool() { return *pool_; }
  Budget& budget() { return budget_; }
  Lookouts& lookouts() { return lookouts_; }
  PinnedPool& pinned() { return *pinned_; }
  int captures() const { return capturing.load(std::memory_order_relaxed); }

  /// Around a wait for the whole device, which ends captures that are under way. Fails where there
  /// are any; those that begin meanwhile begin behind it.
  void begin_wait();
  void end_wait() noexcept;
  void begin_capture() noexcept;
  void end_capture() noexcept;
  [[noreturn]] void fail_captured() const;

  std::atomic<int> capturing{0};  // streams that are being captured, and captures
  // The allocator of all streams that have none of their own; see allocator.cpp.
  std::atomic<bool> has_allocator{false};
  std::atomic<bool> allocator_was_chosen{false};
  std::shared_ptr<Allocator> allocator;
  /// Where work out of graphs reports wrong values; made and kept by device/reports.
  std::atomic<Report*> reports{nullptr};

 protected:
  virtual std::shared_ptr<Stream> create_own_stream() { return create_stream(0); }

 private:
  DeviceFacts facts_;
  int index_;
  Budget budget_;
  Lookouts lookouts_;
  std::shared_ptr<Pool> pool_;
  std::unique_ptr<PinnedPool> pinned_;
  std::shared_ptr<Stream> own_stream_;
  ForkSafeCount waits_;  // for the whole device
};

}  // namespace gpuarr
