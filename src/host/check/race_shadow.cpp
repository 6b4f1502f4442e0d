#include "host/check/race_shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace gpuarr::host {
namespace {

constexpr size_t arena_bytes = size_t{64} * 1024 * 32;
constexpr size_t most_seen = 64;

}  // namespace

void RaceShadow::Unmap::operator()(Cell* cells) const { munmap(cells, arena_bytes); }

RaceShadow::Cell* RaceShadow::find_cells(uintptr_t page) {
  static_assert(arena_pages * page_cells * sizeof(Cell) == arena_bytes);
  Cell*& cells = pages_[page];
  if (cells != nullptr) return cells;
  if (used_ == arena_pages) {
    void* memory = mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      fail(GPUARR_ERR_OUT_OF_MEMORY,
           "not enough memory for the race check, which needs eight times as much as it checks; "
           "check a smaller case");
    arenas_.emplace_back(static_cast<Cell*>(memory));
    used_ = 0;
  }
  cells = arenas_.back().get() + page_cells * used_++;
  return cells;
}

RaceShadow::Cell* RaceShadow::cells_of(uintptr_t page) {
  Known& known = known_[page / page_bytes % known_.size()];
  if (known.page != page) known = {page, find_cells(page)};
  return known.cells;
}

std::optional<Race> RaceShadow::access(const RaceAccess& a) {
  if (written_)
    if (auto found = settle_write()) return found;
  if (!seen_.empty() && a.atomic && a.write)
    std::erase_if(seen_, [&](const Race& r) {
      return r.later.thread == a.thread && r.address - a.address < a.bytes;
    });
  const Moment now = order_.now(a.thread);
  Record mine = {now.epoch, now.lane, now.clock, a.site, 0, a.atomic, a.is_volatile};
  const uintptr_t end = a.address + a.bytes;
  for (uintptr_t word = a.address - a.address % 4; word < end; word += 4) {
    const unsigned first = word < a.address ? static_cast<unsigned>(a.address - word) : 0;
    const unsigned last = end - word < 4 ? static_cast<unsigned>(end - word) : 4;
    mine.mask = ((1U << last) - 1) & ~((1U << first) - 1);
    Cell& cell = cells_of(word - word % page_bytes)[word % page_bytes / 4];
    if (auto found = visit(cell, mine, a, word)) return found;
  }
  return {};
}

std::optional<Race> RaceShadow::visit(Cell& cell, Record mine, const RaceAccess& access,
                                      uintptr_t word) {
  if (cell.write.epoch != 0 && collide(cell.write, mine, access))
    if (auto found = look_at_write(cell.write, mine, access, word)) return found;
  if (!access.write) {
    note_read(cell, mine);
    return {};
  }
  if (cell.reads[0].epoch != 0 || cell.reads[2].epoch != 0) {
    if (auto found = look_at_reads(cell, mine, access, word)) return found;
    forget_reads(cell, mine);
  }
  cell.write = mine;
  return {};
}

std::optional<Race> RaceShadow::look_at_write(Record before, Record mine, const RaceAccess& access,
                                              uintptr_t word) {
  Race found = race(before, true, mine, access, word);
  if (!access.write) {
    if (!before.atomic || access.bytes > 8) return found;
    if (seen_.size() < most_seen) seen_.push_back(found);
    return {};
  }
  if (before.atomic || access.atomic || access.bytes > before_.size()) return found;
  if (written_) return {};  // of the same access
  written_ = found;
  before_bytes_ = access.bytes;
  before_at_ = access.address;
  std::memcpy(before_.data(), reinterpret_cast<const void*>(access.address), access.bytes);
  return {};
}

std::optional<Race> RaceShadow::look_at_reads(Cell& cell, Record mine, const RaceAccess& access,
                                              uintptr_t word) const {
  for (const Record& read : cell.reads)
    if (read.epoch != 0 && collide(read, mine, access))
      return race(read, false, mine, access, word);
  return {};
}

// Those whose bytes are all written: what comes later is held against the write.
void RaceShadow::forget_reads(Cell& cell, Record write) {
  for (Record& read : cell.reads)
    if ((read.mask & ~write.mask) == 0) read = {};
  auto& [last, other, outside] = cell.reads;
  if (last.epoch == 0) std::swap(last, other);
}

void RaceShadow::note_read(Cell& cell, Record mine) const {
  auto& [last, other, outside] = cell.reads;
  const auto here = [&](const Record& r) {
    return r.epoch != 0 && order_.in_this_block({r.epoch, 0, 0});
  };
  if (last.epoch == mine.epoch && last.lane == mine.lane) {
    mine.mask |= last.mask;
  } else if (here(last)) {
    const bool same_warp = last.epoch % 32 == mine.epoch % 32;
    const bool keep = same_warp && here(other) && other.epoch % 32 != mine.epoch % 32;
    if (!keep) other = last;
  } else if (last.epoch != 0) {
    outside = last;
    other = {};
  }
  last = mine;
}

bool RaceShadow::collide(Record before, Record mine, const RaceAccess& access) const {
  if ((before.mask & mine.mask) == 0) return false;
  const Moment then = {before.epoch, static_cast<uint8_t>(before.lane),
                       static_cast<uint8_t>(before.clock)};
  if (access.shared && !order_.in_this_block(then)) return false;  // it was another block's then
  if (before.atomic && mine.atomic) return false;
  if ((before.atomic || before.is_volatile) && (mine.atomic || mine.is_volatile)) {
    // Flags; but lanes of a warp that use volatile memory for values take it that they go in step.
    const bool values =
        access.shared && !before.atomic && !mine.atomic && before.epoch % 32 == mine.epoch % 32;
    if (!values) return false;
  }
  return !order_.is_before(then, access.thread);
}

Race RaceShadow::race(Record before, bool wrote, Record mine, const RaceAccess& access,
                      uintptr_t word) const {
  const Moment then = {before.epoch, static_cast<uint8_t>(before.lane),
                       static_cast<uint8_t>(before.clock)};
  const Moment now = order_.now(access.thread);
  const auto first = static_cast<unsigned>(__builtin_ctz(before.mask & mine.mask));
  return {std::max(word + first, std::min(access.address, word + first)),
          access.shared,
          {order_.block_of(then), RaceOrder::thread_of(then), static_cast<uint16_t>(before.site),
           wrote, before.atomic != 0},
          {order_.block_of(now), access.thread, access.site, access.write, access.atomic}};
}

std::optional<Race> RaceShadow::settle_write() {
  if (!written_) return {};
  Race found = *std::exchange(written_, std::nullopt);
  const auto* at = reinterpret_cast<const void*>(before_at_);
  if (std::memcmp(at, before_.data(), before_bytes_) == 0) return {};
  return found;
}

std::optional<Race> RaceShadow::settle() {
  if (auto found = settle_write()) return found;
  if (seen_.empty()) return {};
  Race found = seen_.front();
  seen_.clear();
  return found;
}

}  // namespace gpuarr::host
