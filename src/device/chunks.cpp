#include "device/chunks.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace gpuarr {

bool BySize::operator()(const Chunk* a, const Chunk* b) const {
  return a->size != b->size ? a->size < b->size : std::less<>()(a->data, b->data);
}

bool BySize::operator()(const Chunk* a, int64_t size) const { return a->size < size; }

namespace {

// A quarter more than is needed may be wasted; of what is larger, others can make better use.
bool wastes(const Chunk& chunk, const ChunkRequest& request) {
  return chunk.kind == ChunkClass::large && !request.any &&
         chunk.size - request.size > request.size / 4;
}

bool is_whole(const Chunk* chunk) { return chunk->before == nullptr && chunk->after == nullptr; }

// A rest must be of use to somebody of its class.
int64_t smallest_rest(ChunkClass kind) {
  if (kind == ChunkClass::small) return pool_granule;
  return kind == ChunkClass::medium ? pool_small_limit + pool_granule
                                    : pool_medium_limit + pool_granule;
}

}  // namespace

int64_t best_fit(Shelf& shelf, const ChunkRequest& request) {
  auto& free = shelf.of(class_of(request.size));
  auto found = free.lower_bound(request.size);
  return found == free.end() || wastes(**found, request) ? -1 : (*found)->size;
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
  shelf.of(chunk.kind).insert(std::move(chunk.in_shelf));
  if (is_whole(&chunk)) whole_bytes_ += chunk.size;
}

void Chunks::detach(Chunk& chunk) noexcept {
  auto& free = chunk.shelf->of(chunk.kind);
  chunk.in_shelf = free.extract(&chunk);
  chunk.shelf = nullptr;
  if (is_whole(&chunk)) whole_bytes_ -= chunk.size;
}

// `second` follows `first` in memory; neither is in a shelf.
void Chunks::join(Chunk& first, Chunk& second) noexcept {
  first.size += second.size;
  first.asked.store(0, std::memory_order_relaxed);
  first.freed.store(std::max(first.freed_at(), second.freed_at()), std::memory_order_relaxed);
  first.after = second.after;
  if (first.after != nullptr) first.after->before = &first;
  forget(second);
}

void Chunks::add(void* block, int64_t size, ChunkClass kind, Shelf& shelf) {
  Chunk& chunk = blank();
  chunk.data = static_cast<char*>(block);
  chunk.size = size;
  chunk.used.store(0, std::memory_order_relaxed);
  chunk.asked.store(0, std::memory_order_relaxed);
  chunk.freed.store(0, std::memory_order_relaxed);
  chunk.kind = kind;
  total_bytes_ += size;
  attach(chunk, shelf);
}

void Chunks::cut(Chunk& chunk, int64_t size, Shelf& shelf, Chunk& rest) noexcept {
  rest.data = chunk.data + size;
  rest.size = chunk.size - size;
  rest.used.store(0, std::memory_order_relaxed);
  rest.asked.store(0, std::memory_order_relaxed);
  rest.freed.store(chunk.freed_at(), std::memory_order_relaxed);
  rest.kind = chunk.kind;
  rest.before = &chunk;
  rest.after = chunk.after;
  if (rest.after != nullptr) rest.after->before = &rest;
  chunk.after = &rest;
  chunk.size = size;
  attach(rest, shelf);
}

Chunk* Chunks::take(Shelf& shelf, const ChunkRequest& request) {
  const ChunkClass kind = class_of(request.size);
  auto& free = shelf.of(kind);
  auto found = free.lower_bound(request.size);
  if (found == free.end() || wastes(**found, request)) return nullptr;
  Chunk& chunk = **found;
  Chunk* rest = chunk.size - request.size >= smallest_rest(kind) ? &blank() : nullptr;
  detach(chunk);
  if (rest != nullptr) cut(chunk, request.size, shelf, *rest);
  chunk.hand_out(request.asked);
  chunk.front = nullptr;
  chunk.in_table.key() = chunk.data;
  chunk.in_table.mapped() = &chunk;
  used_.insert(std::move(chunk.in_table));
  return &chunk;
}

// Joins a chunk with its free neighbours of the shelf and puts what results there.
void Chunks::settle(Chunk& chunk, Shelf& shelf) noexcept {
  Chunk* joined = &chunk;
  auto joins = [&](const Chunk* c) { return c != nullptr && c->shelf == &shelf; };
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
  settle(chunk, shelf);
}

void Chunks::move(Shelf& from, Shelf& to, uint64_t freed_until) noexcept {
  for (auto& free : from.sets)
    for (auto next = free.begin(); next != free.end();) {
      Chunk& chunk = **next++;
      if (chunk.freed_at() > freed_until) continue;
      detach(chunk);
      settle(chunk, to);
    }
}

void Chunks::remove_whole(Shelf& shelf, int64_t bytes, std::vector<void*>& blocks) {
  std::vector<Chunk*> whole;
  for (auto free = shelf.sets.rbegin(); free != shelf.sets.rend(); ++free)
    std::copy_if(free->rbegin(), free->rend(), std::back_inserter(whole), is_whole);
  blocks.reserve(blocks.size() + whole.size());
  for (Chunk* chunk : whole) {
    if (bytes <= 0) return;
    bytes -= chunk->size;
    blocks.push_back(chunk->data);
    detach(*chunk);
    total_bytes_ -= chunk->size;
    forget(*chunk);
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
