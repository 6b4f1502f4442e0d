#include "host/run/fiber_set.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"

namespace gpuarr::host {
namespace {

constexpr size_t page = 4096;

// Below what a thread may use, there is as much again as a middling array takes up, so that most
// threads that use too much do no harm before it is found. An odd number of pages, and tops that
// are apart by some lines more (see top()), keep the stacks of a block from sharing the same few
// sets of a cache.
constexpr size_t slack = 31 * page;
constexpr size_t whole = FiberSet::stack_bytes + slack + 2 * page;

// Words at the end of what may be used. Memory that was never written is 0, and to read it costs
// none.
constexpr size_t watched = 256;

}  // namespace

FiberSet::FiberSet(int count) : count_(count) {
  const size_t bytes = static_cast<size_t>(count) * whole;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    fail(GPUARR_ERR_OUT_OF_MEMORY, "{} stacks of {} KiB for the threads of a block: {}", count,
         whole >> 10, errno_text(errno));
  madvise(memory, bytes, MADV_NOHUGEPAGE);  // each stack uses a page or two
  stacks_ = static_cast<std::byte*>(memory);
  fibers_ = std::make_unique<gpuarr_fiber[]>(static_cast<size_t>(count));
}

FiberSet::~FiberSet() { munmap(stacks_, static_cast<size_t>(count_) * whole); }

void FiberSet::shape(gpuarr_dim block) {
  if (block.x == block_.x && block.y == block_.y && block.z == block_.z) return;
  block_ = block;
  gpuarr_dim index = {0, 0, 0};
  for (unsigned i = 0; i < static_cast<unsigned>(count_); ++i) {
    fibers_[i].index = index;
    fibers_[i].number = i;
    if (++index.x < block.x) continue;
    index.x = 0;
    if (++index.y < block.y) continue;
    index.y = 0;
    ++index.z;
  }
}

size_t FiberSet::stride() const { return whole; }

std::byte* FiberSet::bottom(int number) const {
  return stacks_ + static_cast<size_t>(number) * whole;
}

std::byte* FiberSet::limit(int number) const { return bottom(number) + slack; }

std::byte* FiberSet::top(int number) const {
  return bottom(number) + whole - static_cast<size_t>(number % 64) * 64;
}

gpuarr_fiber* FiberSet::owner(const void* address) const {
  const auto number =
      (reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(stacks_)) / whole;
  return number < static_cast<size_t>(count_) ? fibers() + number : nullptr;
}

int FiberSet::find_overflow() const {
  for (int i = 0; i < count_; ++i) {
    const auto* words = reinterpret_cast<const uint64_t*>(limit(i));
    if (std::any_of(words, words + watched / sizeof *words, [](uint64_t w) { return w != 0; }))
      return i;
  }
  return -1;
}

void FiberSet::clear() { madvise(stacks_, static_cast<size_t>(count_) * whole, MADV_DONTNEED); }

}  // namespace gpuarr::host
