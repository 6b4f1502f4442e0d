#include "host/check/checker.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "core/error.hpp"
#include "gpuarr/kernel.h"
#include "host/run/job.hpp"

namespace gpuarr::host {
namespace {

constexpr uintptr_t page_size = 4096;

bool is_mapped(uintptr_t at) {
  unsigned char state = 0;
  return mincore(reinterpret_cast<void*>(at - at % page_size), 1, &state) == 0;
}

}  // namespace

Checker::Checker(const CheckedModule& module, const RawLaunch& launch, Device& device)
    : gpuarr_checker{}, module_(module), launch_(launch), device_(device), checks_(launch.checks) {
  access = on_access;
  fence = on_fence;
  division = on_division;
  for (const ArraySpan& array : launch.arrays) regions_.add_argument(array);
}

void Checker::add_own(const void* memory, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  regions_.add({Region::Kind::own, begin, begin + bytes, "", {}});
}

void Checker::add_block(Block& block) {
  if (std::ranges::find(blocks_, &block) != blocks_.end()) return;
  if (blocks_.empty()) {
    module_.add_regions(regions_);
    add_own(job_, sizeof *job_);
    add_own(&raw_services(), sizeof raw_services());
    add_own(job_->launch.arguments, static_cast<size_t>(job_->kernel.argument_bytes));
  }
  blocks_.push_back(&block);
  FiberSet& set = block.set();
  const auto count = static_cast<size_t>(set.count());
  add_own(&block, sizeof block);
  add_own(set.fibers(), count * sizeof(gpuarr_fiber));
}

void Checker::begin(Block& block) {
  block_ = &block;
  add_block(block);
  regions_.set_dynamic(block.shared, launch_.shared_bytes);
  std::ranges::fill(known, gpuarr_extent{1, 0});
  const gpuarr_dim& grid = job_->launch.grid;
  block_number_ =
      block.index.x +
      static_cast<int64_t>(grid.x) * (block.index.y + static_cast<int64_t>(grid.y) * block.index.z);
  order_.begin(block_number_, grid_phase_);
  threads_.begin(static_cast<unsigned>(launch_.block.count()));
}

template <class Body>
void Checker::guarded(gpuarr_fiber* self, Body&& body) {
  bool goes_on = false;
  try {
    goes_on = body();
  } catch (...) {
    job_->fail(std::current_exception());
  }
  if (!goes_on) block_->give_up(self);
}

// Who asks is told by the stack: what the module takes itself for is set behind each switch, and
// the compiler may move accesses to before that.
void Checker::on_access(gpuarr_checker* self, unsigned long long address, unsigned long long bytes,
                        int access, const void* code) {
  auto& checker = *static_cast<Checker*>(self);
  gpuarr_fiber* fiber = checker.block_->set().owner(__builtin_frame_address(0));
  if (fiber == nullptr) return;
  checker.guarded(fiber, [&] { return !checker.is_wrong(fiber, address, bytes, access, code); });
}

bool Checker::is_wrong(gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access,
                       const void* code) {
  // Its own local variables.
  FiberSet& stacks = block_->set();
  if (at - reinterpret_cast<uintptr_t>(stacks.bottom(static_cast<int>(fiber->number))) <
      stacks.stride())
    return false;
  const Region* region = region_of(at, bytes);
  if (region == nullptr) {
    if (!has(GPUARR_CHECK_MEMORY)) return false;
    note_access(fiber, at, bytes, access, code, "illegal");
    return true;
  }
  if (region->kind == Region::Kind::own) {
    if (!has(GPUARR_CHECK_RACE)) known[extent_of(at)] = {region->begin, region->end};
    return false;
  }
  if (has(GPUARR_CHECK_MEMORY)) {
    const bool aligned = (access & gpuarr_misaligned) != 0 || bytes > 16 || at % bytes == 0;
    const bool constant = region->kind == Region::Kind::constant;
    if (!aligned || (constant && (access & gpuarr_write) != 0)) {
      note_access(fiber, at, bytes, access, code, aligned ? "illegal" : "misaligned");
      return true;
    }
    if (!has(GPUARR_CHECK_RACE) && !constant) known[extent_of(at)] = {region->begin, region->end};
  }
  if (!has(GPUARR_CHECK_RACE) || region->kind == Region::Kind::constant) return false;
  // What a thread has allocated may have been another one's before.
  if (region->kind == Region::Kind::foreign && module_.allocates()) return false;
  return races(fiber, at, bytes, access, *region, code);
}

const Region* Checker::region_of(uintptr_t at, uint64_t bytes) {
  if (const Region* region = regions_.find(at, bytes)) return region;
  const MemoryFound memory = find_memory(device_, reinterpret_cast<const void*>(at));
  const auto begin = reinterpret_cast<uintptr_t>(memory.begin);
  if (memory.state == MemoryFound::State::live && may_reach(memory)) {
    regions_.add({Region::Kind::array, begin, begin + static_cast<uint64_t>(memory.bytes), "", {}});
  } else if (memory.state == MemoryFound::State::unknown && at >= 16 * page_size &&
             (launch_.pointers || module_.allocates()) && is_mapped(at)) {
    const uintptr_t start = at - at % page_size;
    const uintptr_t last = at + bytes - 1;
    const bool both = last - last % page_size == start || is_mapped(last);
    regions_.add({Region::Kind::foreign,
                  start,
                  both ? last - last % page_size + page_size : start + page_size,
                  "",
                  {}});
  }
  return regions_.find(at, bytes);
}

// Through a struct, a variable, or a table of addresses among the arguments.
bool Checker::may_reach(const MemoryFound& memory) const {
  if (launch_.pointers || module_.has_pointers()) return true;
  const auto begin = reinterpret_cast<uintptr_t>(memory.begin);
  return std::ranges::any_of(launch_.arrays, [&](const ArraySpan& array) {
    if (array.dtype != DType::u64 && array.dtype != DType::i64) return false;
    const auto* word = static_cast<const uint64_t*>(array.begin);
    return std::any_of(word, static_cast<const uint64_t*>(array.end), [&](uint64_t value) {
      return value >= begin && value < begin + static_cast<uint64_t>(memory.bytes);
    });
  });
}

uint16_t Checker::site_of(const void* code) {
  Site& recent = recent_sites_[reinterpret_cast<uintptr_t>(code) % site_cache];
  if (recent.code == code) return recent.number;
  const auto [found, added] = site_numbers_.try_emplace(code, static_cast<uint16_t>(sites_.size()));
  if (added && sites_.size() == RaceShadow::most_sites) {
    found->second = 0;
  } else if (added) {
    sites_.push_back(code);
  }
  recent = {code, found->second};
  return found->second;
}

bool Checker::races(gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access,
                    const Region& region, const void* code) {
  if (order_.is_exhausted()) return false;
  RaceAccess a;
  a.address = at;
  a.bytes = bytes;
  a.thread = fiber->number;
  a.site = site_of(code);
  a.write = (access & gpuarr_write) != 0;
  a.atomic = (access & gpuarr_atomic) != 0;
  a.is_volatile = (access & gpuarr_volatile) != 0;
  a.shared = region.is_shared();
  const bool flag = a.atomic || a.is_volatile;
  if ((access & gpuarr_releases) != 0) order_.fence(a.thread);
  if (flag && (a.atomic || !a.write)) order_.acquire(at);
  if (const auto race = shadow_.access(a)) {
    note_race(*race);
    return true;
  }
  if (flag && a.write) order_.release(a.thread, at);
  return false;
}

void Checker::on_fence(gpuarr_checker* self) {
  auto& checker = *static_cast<Checker*>(self);
  gpuarr_fiber* fiber = checker.block_->set().owner(__builtin_frame_address(0));
  if (fiber == nullptr || !checker.has(GPUARR_CHECK_RACE) || checker.order_.is_exhausted()) return;
  checker.guarded(fiber, [&] {
    checker.order_.fence(fiber->number);
    return true;
  });
}

void Checker::on_division(gpuarr_checker* self, const char* file, unsigned line) {
  auto& checker = *static_cast<Checker*>(self);
  gpuarr_fiber* fiber = checker.block_->set().owner(__builtin_frame_address(0));
  if (fiber == nullptr) return;
  checker.guarded(fiber, [&] {
    checker.note_division(fiber, file, line);
    return false;
  });
}

bool Checker::is_settled() {
  const auto race = shadow_.settle();
  if (race) note_race(*race);
  return !race;
}

void Checker::waits(gpuarr_fiber* self, int line, const void* code) {
  guarded(self, [&] {
    threads_.wait(self->number, line, code);
    return is_settled();
  });
}

void Checker::ends(gpuarr_fiber* self) {
  guarded(self, [&] {
    threads_.end(self->number, returned == self);
    returned = nullptr;
    return is_settled();
  });
}

void Checker::barrier_opens(gpuarr_fiber* self) {
  guarded(self, [&] {
    if (has(GPUARR_CHECK_SYNC) && is_uneven()) return false;
    threads_.run_all();
    if (has(GPUARR_CHECK_RACE)) order_.barrier();
    return true;
  });
}

void Checker::meet(unsigned warp, uint32_t lanes, bool all) {
  resume();
  try {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      threads_.run(warp * 32 + static_cast<unsigned>(__builtin_ctz(rest)));
    if (has(GPUARR_CHECK_RACE)) order_.meet(warp, lanes, all);
  } catch (...) {
    job_->fail(std::current_exception());
  }
}

}  // namespace gpuarr::host
