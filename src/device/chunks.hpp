// The pool's bookkeeping: blocks of the device cut into chunks, and the free ones sorted by size.
// It calls no device and takes no lock.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

namespace gpuarr {

constexpr int64_t pool_granule = 512;                   // all sizes are multiples of it
constexpr int64_t pool_small_limit = int64_t{1} << 20;  // larger requests get blocks of their own
constexpr int64_t pool_block = int64_t{2} << 20;        // the device is asked for multiples of it

struct Chunk;

struct BySize {
  using is_transparent = void;
  bool operator()(const Chunk* a, const Chunk* b) const;
  bool operator()(const Chunk* a, int64_t size) const;
};

/// The free chunks that belong together, because work of one stream may still use them. Small and
/// large ones never come from the same block, so that a small array cannot pin a large block.
struct Shelf {
  std::set<Chunk*, BySize> small, large;

  std::set<Chunk*, BySize>& of(bool is_small) { return is_small ? small : large; }
  bool empty() const { return small.empty() && large.empty(); }
};

/// A piece of a block. It owns the nodes that put it into a shelf and into the table of those in
/// use, so that freeing needs no memory.
struct Chunk {
  char* data = nullptr;
  int64_t size = 0;
  int64_t used = 0;         // bytes handed out, rounded up; 0: free
  int64_t asked = 0;        // bytes that it was asked for, also of one that was freed; 0: unknown
  uint64_t freed = 0;       // when: the pool's count of frees
  Chunk* before = nullptr;  // neighbours in the block
  Chunk* after = nullptr;   // in a chunk without a block: the next such one
  Shelf* shelf = nullptr;   // of a free chunk
  bool small = false;
  std::set<Chunk*, BySize>::node_type in_shelf;
  std::unordered_map<void*, Chunk*>::node_type in_table;
};

class Chunks {
 public:
  /// A whole block of the device, free.
  void add(void* block, int64_t size, bool small, Shelf& shelf);

  /// The free chunk that fits best, cut to size and marked as used; null if none fits.
  Chunk* take(Shelf& shelf, int64_t size, int64_t asked);

  /// Frees a chunk and joins it with its free neighbours of the same shelf.
  void put(Chunk& chunk, Shelf& shelf) noexcept;

  /// Moves all chunks that were freed until then to another shelf.
  void move(Shelf& from, Shelf& to, uint64_t freed_until) noexcept;

  /// Takes out the blocks of the device that are free as a whole.
  void remove_whole(Shelf& shelf, std::vector<void*>& blocks);

  Chunk* find_used(void* data) const noexcept;

  /// The chunk that the address lies in; null for none. Looks at all of them.
  const Chunk* find(const void* address) const noexcept;

  int64_t used_bytes() const { return used_bytes_; }
  int64_t used_chunks() const { return static_cast<int64_t>(used_.size()); }
  int64_t total_bytes() const { return total_bytes_; }

 private:
  Chunk& blank();
  void forget(Chunk& chunk) noexcept;
  void detach(Chunk& chunk) noexcept;
  void attach(Chunk& chunk, Shelf& shelf) noexcept;
  void settle(Chunk& chunk, Shelf& shelf) noexcept;
  void join(Chunk& first, Chunk& second) noexcept;

  std::deque<Chunk> all_;
  Chunk* blanks_ = nullptr;
  std::unordered_map<void*, Chunk*> used_;
  int64_t used_bytes_ = 0;
  int64_t total_bytes_ = 0;
};

/// The smallest size that a free chunk of the shelf has and that is enough; -1 if there is none.
int64_t best_fit(Shelf& shelf, int64_t size);

}  // namespace gpuarr
