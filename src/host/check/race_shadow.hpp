// Who was last at each word of memory, and whether somebody else may have been there at the same
// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "host/check/race_order.hpp"

namespace gpuarr::host {

struct RaceAccess {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  unsigned thread = 0;  // in the block that runs
  uint16_t site = 0;    // in the code
  bool write = false;
  bool atomic = false;
  bool is_volatile = false;
  bool shared = false;  // memory of a block
};

/// Two accesses that nothing orders; one of them writes.
struct Race {
  struct Side {
    int64_t block;
    unsigned thread;
    uint16_t site;
    bool write, atomic;
  };
  uintptr_t address = 0;  // that both are at
  bool shared = false;
  Side earlier = {}, later = {};
};

class RaceShadow {
 public:
  static constexpr uint32_t most_sites = 1 << 15;

  explicit RaceShadow(RaceOrder& order) : order_(order) {}

  /// To be called before the access is made. What it finds may be about an earlier one: see
  /// settle().
  std::optional<Race> access(const RaceAccess& access);

  /// A race that only counts by what came after it, if there is one: two writes, if they wrote
  /// different values; a read beside atomic operations, if no atomic operation of the thread
  /// followed it, as it does in `old = *p; atomicCAS(p, old, ...)`. For each time that a thread
  /// ends or waits.
  std::optional<Race> settle();

 private:
  // 64 bits: when, where in the code, which bytes of the word, and how.
  struct Record {
    uint32_t epoch;
    uint32_t lane : 5, clock : 6, site : 15, mask : 4, atomic : 1, is_volatile : 1;
  };
  // Of four bytes. Reads since the last write: the last one, the last one of another thread of the
  // block, the last one of another block.
  struct Cell {
    Record write;
    std::array<Record, 3> reads;
  };
  static constexpr uintptr_t page_bytes = 4096;
  static constexpr size_t page_cells = page_bytes / 4;
  static constexpr size_t arena_pages = 64;
  struct Known {
    uintptr_t page = 1;
    Cell* cells = nullptr;
  };
  struct Unmap {
    void operator()(Cell* cells) const;
  };

  std::optional<Race> settle_write();
  Cell* cells_of(uintptr_t page);
  Cell* find_cells(uintptr_t page);
  std::optional<Race> visit(Cell& cell, Record mine, const RaceAccess& access, uintptr_t word);
  std::optional<Race> look_at_write(Record before, Record mine, const RaceAccess& access,
                                    uintptr_t word);
  std::optional<Race> look_at_reads(Cell& cell, Record mine, const RaceAccess& access,
                                    uintptr_t word) const;
  static void forget_reads(Cell& cell, Record write);
  void note_read(Cell& cell, Record mine) const;
  bool collide(Record before, Record mine, const RaceAccess& access) const;
  Race race(Record before, bool wrote, Record mine, const RaceAccess& access, uintptr_t word) const;

  RaceOrder& order_;
  std::array<Known, 512> known_;
  std::unordered_map<uintptr_t, Cell*> pages_;
  std::vector<std::unique_ptr<Cell, Unmap>> arenas_;
  size_t used_ = arena_pages;  // pages of the last arena

  std::optional<Race> written_;  // a second write, to be made
  std::array<unsigned char, 16> before_;
  uint64_t before_bytes_ = 0;
  uintptr_t before_at_ = 0;
  std::vector<Race> seen_;  // reads beside atomic operations
};

}  // namespace gpuarr::host
