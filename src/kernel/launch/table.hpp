// What a kernel has compiled so far: found without a lock, on every call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>

#include "codegen/layout/variant.hpp"
#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/device.hpp"

namespace gpuarr {

/// A device and everything that the generated code depends on, as bytes.
class Key {
 public:
  template <class Variant>
  Key(int device, const Variant& variant) {
    add(key_bytes(Small(device)));
    add(key_bytes(variant));
  }
  void add(std::span<const std::byte> part) {
    if (part.size() > most - size_)
      fail(GPUARR_ERR_INTERNAL, "a key of {} bytes is more than the {} that there is room for",
           size_ + part.size(), most);
    std::memcpy(bytes_.data() + size_, part.data(), part.size());
    size_ += part.size();
  }
  uint64_t hash() const {
    uint64_t h = size_;
    for (size_t i = 0; i < size_; i += sizeof h) {
      uint64_t word = 0;
      std::memcpy(&word, bytes_.data() + i, sizeof word);
      h = (h ^ word) * 0x9e3779b97f4a7c15U;
      h ^= h >> 32;
    }
    return h;
  }
  bool operator==(const Key& other) const {
    return size_ == other.size_ && std::memcmp(bytes_.data(), other.bytes_.data(), size_) == 0;
  }

 private:
  static constexpr size_t most = 240;
  size_t size_ = 0;
  std::array<std::byte, most> bytes_{};  // 0 behind the key, for the last word
};

/// Entries are added and never removed, so a reader needs no lock.
template <class Compiled>
class Table {
 public:
  Table() = default;
  ~Table() {
    for (auto& bucket : buckets_)
      for (Entry* e = bucket.load(); e != nullptr;) delete std::exchange(e, e->next);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::shared_ptr<Compiled>* find(const Key& key) const {
    for (const Entry* e = bucket_of(key).load(std::memory_order_acquire); e != nullptr; e = e->next)
      if (e->key == key) return &e->function;
    return nullptr;
  }

  /// If another thread was first, its entry stays.
  const std::shared_ptr<Compiled>& insert(const Key& key, std::shared_ptr<Compiled> function) {
    std::lock_guard lock(mutex_);
    if (const auto* found = find(key)) return *found;
    auto& bucket = bucket_of(key);
    auto* entry = new Entry{key, std::move(function), bucket.load(std::memory_order_relaxed)};
    bucket.store(entry, std::memory_order_release);
    return entry->function;
  }

 private:
  struct Entry {
    Key key;
    std::shared_ptr<Compiled> function;
    Entry* next;
  };
  static constexpr size_t bucket_count = 64;

  const std::atomic<Entry*>& bucket_of(const Key& key) const {
    return buckets_[key.hash() % bucket_count];
  }
  std::atomic<Entry*>& bucket_of(const Key& key) { return buckets_[key.hash() % bucket_count]; }

  std::array<std::atomic<Entry*>, bucket_count> buckets_{};
  ForkSafeMutex mutex_;
};

using FunctionTable = Table<Function>;

/// The kernel of a key: known, or made.
template <class Compiled, class Make>
const std::shared_ptr<Compiled>& find_or_make(Table<Compiled>& table, const Key& key,
                                              const Make& make) {
  if (const auto* found = table.find(key)) return *found;
  return table.insert(key, make());
}

}  // namespace gpuarr
