#include "device/chunks.hpp"

#include <functional>

namespace gpuarr {

bool BySize::operator()(const Chunk* a, const Chunk* b) const {
  return a->size != b->size ? a->size < b->size : std::less<>()(a->data, b->data);
}

bool BySize::operator()(const Chunk* a, int64_t size) const { return a->size < size; }

int64_t best_fit(Shelf& shelf, int64_t size) {
  auto& free = shelf.of(size <= pool_small_limit);
  auto found = free.lower_bound(size);
  return found == free.end() ? -1 : (*found)->size;
}

// Reserves all that the chunk will ever need; nothing after it fails.
Chunk& Chunks::blank() {
  if (blanks_ == nullptr) {
    Chunk& made = all_.emplace_back();
    try {
      std::set<Chunk*, BySize> shelf{&made};
      made.in_shelf = shelf.extract(shelf.begin());
      std::unordered_map<void*, Chunk*> table{{nullptr, &made}};
      made.in_table = table.extract(table.begin());
      if (all_.size() > used_.bucket_count()) used_.reserve(2 * all_.size());
    } catch (...) {
      all_.pop_back();
      throw;
    }
    blanks_ = &made;
  }
  Chunk& chunk = *blanks_;
  blanks_ = chunk.after;
  chunk.after = nullptr;
  return chunk;
}

void Chunks::forget(Chunk& chunk) noexcept {
  chunk.data = nullptr;
  chunk.before = nullptr;
  chunk.after = blanks_;
  blanks_ = &chunk;
}

void Chunks::attach(Chunk& chunk, Shelf& shelf) noexcept {
  chunk.shelf = &shelf;
  chunk.in_shelf.value() = &chunk;
  shelf.of(chunk.small).insert(std::move(chunk.in_shelf));
}

void Chunks::detach(Chunk& chunk) noexcept {
  auto& free = chunk.shelf->of(chunk.small);
  chunk.in_shelf = free.extract(&chunk);
}

// `second` follows `first` in memory; neither is in a shelf.
void Chunks::join(Chunk& first, Chunk& second) noexcept {
  first.size += second.size;
  first.asked = 0;
  first.freed = first.freed > second.freed ? first.freed : second.freed;
  first.after = second.after;
  if (first.after != nullptr) first.after->before = &first;
  forget(second);
}

void Chunks::add(void* block, int64_t size, bool small, Shelf& shelf) {
  Chunk& chunk = blank();
  chunk.data = static_cast<char*>(block);
  chunk.size = size;
  chunk.freed = 0;
  chunk.asked = 0;
  chunk.small = small;
  total_bytes_ += size;
  attach(chunk, shelf);
}

Chunk* Chunks::take(Shelf& shelf, int64_t size, int64_t asked) {
  bool small = size <= pool_small_limit;
  auto& free = shelf.of(small);
  auto found = free.lower_bound(size);
  if (found == free.end()) return nullptr;
  Chunk& chunk = **found;
  // What is left of a large block must be large, or nobody could use it.
  bool cut = chunk.size - size > (small ? 0 : pool_small_limit);
  Chunk* rest = cut ? &blank() : nullptr;
  detach(chunk);
  if (cut) {
    rest->data = chunk.data + size;
    rest->size = chunk.size - size;
    rest->freed = chunk.freed;
    rest->asked = 0;
    rest->small = small;
    rest->before = &chunk;
    rest->after = chunk.after;
    if (rest->after != nullptr) rest->after->before = rest;
    chunk.after = rest;
    chunk.size = size;
    attach(*rest, shelf);
  }
  chunk.asked = asked;
  chunk.used = (asked + pool_granule - 1) / pool_granule * pool_granule;
  used_bytes_ += chunk.used;
  chunk.in_table.key() = chunk.data;
  chunk.in_table.mapped() = &chunk;
  used_.insert(std::move(chunk.in_table));
  return &chunk;
}

// Joins a chunk with its free neighbours of the shelf and puts what results there.
void Chunks::settle(Chunk& chunk, Shelf& shelf) noexcept {
  Chunk* joined = &chunk;
  auto joins = [&](const Chunk* c) { return c != nullptr && c->used == 0 && c->shelf == &shelf; };
  if (joins(chunk.after)) {
    detach(*chunk.after);
    join(chunk, *chunk.after);
  }
  if (joins(chunk.before)) {
    joined = chunk.before;
    detach(*joined);
    join(*joined, chunk);
  }
  attach(*joined, shelf);
}

void Chunks::put(Chunk& chunk, Shelf& shelf) noexcept {
  chunk.in_table = used_.extract(chunk.data);
  used_bytes_ -= chunk.used;
  chunk.used = 0;
  settle(chunk, shelf);
}

void Chunks::move(Shelf& from, Shelf& to, uint64_t freed_until) noexcept {
  for (auto* free : {&from.small, &from.large})
    for (auto next = free->begin(); next != free->end();) {
      Chunk& chunk = **next++;
      if (chunk.freed > freed_until) continue;
      detach(chunk);
      settle(chunk, to);
    }
}

void Chunks::remove_whole(Shelf& shelf, std::vector<void*>& blocks) {
  blocks.reserve(blocks.size() + shelf.small.size() + shelf.large.size());
  for (auto* free : {&shelf.small, &shelf.large})
    for (auto next = free->begin(); next != free->end();) {
      Chunk& chunk = **next++;
      if (chunk.before != nullptr || chunk.after != nullptr) continue;
      blocks.push_back(chunk.data);
      detach(chunk);
      total_bytes_ -= chunk.size;
      forget(chunk);
    }
}

const Chunk* Chunks::find(const void* address) const noexcept {
  const auto* at = static_cast<const char*>(address);
  for (const Chunk& chunk : all_)
    if (chunk.data != nullptr && at >= chunk.data && at < chunk.data + chunk.size) return &chunk;
  return nullptr;
}

Chunk* Chunks::find_used(void* data) const noexcept {
  auto found = used_.find(data);
  return found == used_.end() ? nullptr : found->second;
}

}  // namespace gpuarr
