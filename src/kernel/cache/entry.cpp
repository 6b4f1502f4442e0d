#include "kernel/cache/entry.hpp"

#include <cstring>

#include "kernel/cache/digest.hpp"

namespace gpuarr {
namespace {

constexpr std::string_view magic = {"gpuarr\0\1", 8};  // the last byte is the format
static_assert(magic[7] == cache_format);
static_assert(sizeof(CacheEntryHead) == 32, "the head has no padding");

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string encode(const CacheEntry& entry) {
  CacheEntryHead head{{},
                      static_cast<uint32_t>(entry.kernel.size()),
                      static_cast<uint32_t>(entry.target.size()),
                      entry.key.size(),
                      entry.image.size()};
  std::memcpy(head.magic, magic.data(), sizeof head.magic);
  std::string bytes;
  bytes.reserve(sizeof head + entry.kernel.size() + entry.target.size() + entry.key.size() +
                entry.image.size() + sizeof(Digest));
  append(bytes, head);
  for (std::string_view part : {entry.kernel, entry.target, entry.key, entry.image})
    bytes.append(part);
  append(bytes, digest(bytes));
  return bytes;
}

std::optional<CacheEntryHead> decode_head(std::string_view bytes, uint64_t file_bytes) {
  CacheEntryHead head;
  if (bytes.size() < sizeof head || file_bytes > cache_entry_limit) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::string_view(head.magic, sizeof head.magic) != magic) return std::nullopt;
  // Each is compared alone first, so that the sum cannot wrap around.
  if (head.key_bytes > file_bytes || head.image_bytes > file_bytes) return std::nullopt;
  uint64_t whole = sizeof head + uint64_t{head.kernel_bytes} + head.target_bytes + head.key_bytes +
                   head.image_bytes + sizeof(Digest);
  if (whole != file_bytes) return std::nullopt;
  return head;
}

std::optional<CacheEntry> decode(std::string_view bytes) {
  auto head = decode_head(bytes, bytes.size());
  if (!head) return std::nullopt;
  Digest stored;
  std::string_view covered = bytes.substr(0, bytes.size() - sizeof stored);
  std::memcpy(&stored, bytes.data() + covered.size(), sizeof stored);
  if (digest(covered) != stored) return std::nullopt;
  std::string_view rest = covered.substr(sizeof(CacheEntryHead));
  auto next = [&rest](uint64_t size) {
    std::string_view part = rest.substr(0, size);
    rest.remove_prefix(size);
    return part;
  };
  CacheEntry entry;
  entry.kernel = next(head->kernel_bytes);
  entry.target = next(head->target_bytes);
  entry.key = next(head->key_bytes);
  entry.image = next(head->image_bytes);
  return entry;
}

}  // namespace gpuarr
