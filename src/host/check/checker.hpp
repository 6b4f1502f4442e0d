// The checks of one launch: what instrumented code, barriers and warps report comes here.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/device.hpp"
#include "device/raw.hpp"
#include "host/check/checked_module.hpp"
#include "host/check/race_shadow.hpp"
#include "host/check/thread_places.hpp"
#include "host/glue/fiber.cuh"
#include "host/run/watcher.hpp"

namespace gpuarr::host {

/// README.md says how it works.
class Checker final : public gpuarr_checker, public Watcher {
 public:
  /// The launch's arrays must stay until the end.
  Checker(const CheckedModule& module, const RawLaunch& launch, Device& device);

  void attach(RawJob& job) override { job_ = &job; }
  void begin(Block& block) override;

  /// While the module's code runs, it asks here.
  void resume() override { module_.set_checker(this); }
  void pause() override { module_.set_checker(nullptr); }

  void waits(gpuarr_fiber* self, int line, const void* code) override;
  void ends(gpuarr_fiber* self) override;
  void barrier_opens(gpuarr_fiber* self) override;
  void exchanged(const gpuarr_fiber* lane, const gpuarr_exchange& what) override;
  void meet(unsigned warp, uint32_t lanes, bool all) override;
  void grid_opens() override { ++grid_phase_; }
  std::string places() const override;

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
  bool is_settled();

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
