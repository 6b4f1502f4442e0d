// The checks of one launch: what instrumented code, barriers and warps report comes here.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/device.hpp"
#include "device/raw.hpp"
#include "host/checked_module.hpp"
#include "host/glue/fiber.cuh"
#include "host/race_shadow.hpp"
#include "host/thread_places.hpp"

namespace gpuarr::host {

class Block;
struct RawJob;

/// check.md says how it works. All of it is called by the one thread that does the launch.
class Checker : public gpuarr_checker {
 public:
  /// The launch's arrays must stay until the end.
  Checker(const CheckedModule& module, const RawLaunch& launch, Device& device);

  void attach(RawJob& job) { job_ = &job; }

  /// A block begins, or goes on behind a barrier of the grid.
  void begin(Block& block);

  /// While the module's code runs, it asks here.
  void resume() { module_.set_checker(this); }
  void pause() { module_.set_checker(nullptr); }

  // A thread that is found to be at fault does not come back from these.
  void waits(gpuarr_fiber* self, int line, const void* code);  // for others of its block or warp
  void ends(gpuarr_fiber* self);
  void barrier_opens(gpuarr_fiber* self);
  // Behind pause(): what completes an exchange looks at other threads' stacks.
  void exchanged(const gpuarr_fiber* lane, const gpuarr_exchange& what);  // of a mask
  void meet(unsigned warp, uint32_t lanes, bool all);
  void grid_opens() { ++grid_phase_; }

  /// Where threads wait, for a message: "; 3 threads wait at k.cu:7 ..."
  std::string places() const;

 private:
  static constexpr size_t site_cache = 1024;

  bool has(int check) const { return (checks_ & check) != 0; }
  void add_own(const void* memory, size_t bytes);
  void add_block(Block& block);

  /// For all that kernels call, which no exception can pass: it is the launch's. A body says
  /// whether the thread goes on.
  template <class Body>
  void guarded(gpuarr_fiber* self, Body&& body);

  static void on_access(gpuarr_checker* self, unsigned long long address, unsigned long long bytes,
                        int access, const void* code);
  static void on_fence(gpuarr_checker* self);
  static void on_division(gpuarr_checker* self, const char* file, unsigned line);
  bool is_wrong(gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access, const void* code);
  bool races(gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access, const Region& region,
             const void* code);
  bool is_settled(gpuarr_fiber* fiber);

  const Region* region_of(uintptr_t at, uint64_t bytes);
  bool may_reach(const MemoryFound& memory) const;
  uint16_t site_of(const void* code);

  std::string describe_place(uintptr_t at, uint64_t bytes) const;
  std::string describe_race(const Race& race);
  void note(gpuarr_status status, const std::string& problem);
  void note_access(const gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access,
                   const void* code, const char* what);
  void note_race(const Race& race);
  void note_division(const gpuarr_fiber* fiber, const char* file, unsigned line);
  bool is_uneven();
  std::string describe(const std::vector<ThreadPlaces::Group>& groups) const;

  const CheckedModule& module_;
  const RawLaunch& launch_;
  Device& device_;
  int checks_;
  RawJob* job_ = nullptr;
  Block* block_ = nullptr;
  int64_t block_number_ = 0;
  int grid_phase_ = 0;

  Regions regions_;
  std::vector<const Block*> blocks_;  // whose stacks are among the regions

  RaceOrder order_;
  RaceShadow shadow_{order_};
  std::vector<const void*> sites_ = {nullptr};
  std::unordered_map<const void*, uint16_t> site_numbers_;
  struct Site {
    const void* code = nullptr;
    uint16_t number = 0;
  };
  std::array<Site, site_cache> recent_sites_ = {};

  ThreadPlaces threads_;
};

}  // namespace gpuarr::host
