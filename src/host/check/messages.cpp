// What a checked launch says of what it found.

#include "core/error.hpp"
#include "core/text.hpp"
#include "gpuarr/kernel.h"
#include "host/check/checker.hpp"
#include "host/run/job.hpp"

namespace gpuarr::host {
namespace {

std::string triple(gpuarr_dim at) { return formatted("({},{},{})", at.x, at.y, at.z); }

gpuarr_dim dim_at(uint64_t number, gpuarr_dim of) {
  return {static_cast<unsigned>(number % of.x), static_cast<unsigned>(number / of.x % of.y),
          static_cast<unsigned>(number / of.x / of.y)};
}

const char* verb(const Race::Side& side, bool past) {
  if (side.atomic) return past ? "changed atomically" : "changes atomically";
  if (side.write) return past ? "wrote" : "writes";
  return past ? "read" : "reads";
}

}  // namespace

void Checker::note(gpuarr_status status, const std::string& problem) {
  job_->fail(std::make_exception_ptr(
      Error(status, formatted("kernel \"{}\": {}", job_->kernel.name, problem))));
}

std::string Checker::describe_place(uintptr_t at, uint64_t bytes) const {
  if (at < 65536) return at == 0 ? "NULL" : formatted("NULL + {}", at);
  std::string nearest = regions_.describe(at, bytes);
  const MemoryFound memory = find_memory(device_, reinterpret_cast<const void*>(at));
  using State = MemoryFound::State;
  const auto begin = reinterpret_cast<uintptr_t>(memory.begin);
  const auto end = begin + static_cast<uint64_t>(memory.bytes);
  const uint64_t away = memory.state == State::unknown ? UINT64_MAX : at < end ? 0 : at - end + 1;
  if (!nearest.empty() && regions_.is_near(at, away)) return nearest;
  const std::string also = nearest.empty() ? "" : "; the nearest argument or variable: " + nearest;
  if (memory.state == State::unknown) return formatted("{:#x}, which is in no array", at);
  const auto offset = at - begin;
  const std::string array = memory.bytes > 0
                                ? formatted("byte {} of an array of {} bytes", offset, memory.bytes)
                                : "an array";
  return array +
         (memory.state == State::live ? " that is not among the arguments" : " that was released") +
         also;
}

void Checker::note_access(const gpuarr_fiber* fiber, uintptr_t at, uint64_t bytes, int access,
                          const void* code, const char* what) {
  const char* kind = (access & gpuarr_atomic) != 0  ? "atomic operation on"
                     : (access & gpuarr_write) != 0 ? "write of"
                                                    : "read of";
  note(GPUARR_ERR_FAULT,
       formatted("{} {} {} byte{} at {}, by block {} thread {} at {}", what, kind, bytes,
                 bytes == 1 ? "" : "s", describe_place(at, bytes), triple(block_->index),
                 triple(fiber->index), module_.lines({code})[0]));
}

std::string Checker::describe_race(const Race& race) {
  const auto lines = module_.lines({sites_[race.later.site], sites_[race.earlier.site]});
  const auto thread = [&](const Race::Side& side) {
    const gpuarr_dim& block = job_->launch.block;
    return formatted("thread {}", triple(dim_at(side.thread, block)));
  };
  const auto block = [&](const Race::Side& side) {
    return formatted("block {}",
                     triple(dim_at(static_cast<uint64_t>(side.block), job_->launch.grid)));
  };
  const bool same = race.earlier.block == race.later.block;
  return formatted(
      "race in {} memory: {} of {} {} {} at {} what {} of {} {} at {} {}",
      race.shared ? "shared" : "global", thread(race.later), block(race.later),
      verb(race.later, false), regions_.describe(race.address, 1), lines[0], thread(race.earlier),
      same ? "the same block" : block(race.earlier), verb(race.earlier, true), lines[1],
      same ? "without a barrier between" : "without a fence and an atomic operation between");
}

void Checker::note_race(const Race& race) { note(GPUARR_ERR_RACE, describe_race(race)); }

void Checker::note_division(const gpuarr_fiber* fiber, const char* file, unsigned line) {
  note(GPUARR_ERR_FAULT, formatted("division of an integer by zero, by block {} thread {} at {}:{}",
                                   triple(block_->index), triple(fiber->index), file, line));
}

void Checker::exchanged(const gpuarr_fiber* lane, const gpuarr_exchange& what) {
  if (!has(GPUARR_CHECK_SYNC) || what.missed < 0) return;
  note(GPUARR_ERR_SYNC,
       formatted(
           "{}() with the mask {:#010x} asks for the value of lane {}, which does not take part, "
           "by block {} thread {}, lane {}, in line {}",
           what.name, what.mask, what.missed, triple(block_->index), triple(lane->index),
           lane->number % 32, what.line));
}

std::string Checker::describe(const std::vector<ThreadPlaces::Group>& groups) const {
  std::vector<const void*> codes;
  codes.reserve(groups.size());
  for (const auto& group : groups) codes.push_back(group.code);
  const auto lines = module_.lines(codes);
  std::string out;
  for (size_t k = 0; k < groups.size(); ++k) {
    const auto& group = groups[k];
    const bool waits = group.state == ThreadPlaces::State::waiting;
    out += formatted("{}{} thread{}{}{} (thread {}{})", k == 0 ? "" : ", ", group.count,
                     group.count == 1 ? "" : "s",
                     waits ? (group.count == 1 ? " waits at " : " wait at ")
                           : " came to the kernel's end without it",
                     waits ? lines[k] : "", triple(block_->set().fibers()[group.first].index),
                     group.count == 1 ? "" : " first");
  }
  return out;
}

bool Checker::is_uneven() {
  const auto groups = threads_.groups();
  if (groups.size() < 2 || groups[0].state != ThreadPlaces::State::waiting) return false;
  note(GPUARR_ERR_SYNC, formatted("block {}: not all threads come to the same barrier: {}",
                                  triple(block_->index), describe(groups)));
  return true;
}

std::string Checker::places() const {
  auto groups = threads_.groups();
  std::erase_if(groups, [](const auto& g) { return g.state != ThreadPlaces::State::waiting; });
  return groups.empty() ? "" : "; " + describe(groups);
}

}  // namespace gpuarr::host
