// Tests of kernel/cache_entry.hpp: what is written is read; what is damaged in any way is not.
#include <cstring>
#include <random>

#include "check.hpp"
#include "kernel/cache/entry.hpp"

using namespace gpuarr;

namespace {

std::string random_bytes(std::mt19937_64& random, size_t most) {
  std::string bytes(random() % (most + 1), '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

void comes_back(std::mt19937_64& random) {
  for (int i = 0; i < 200; ++i) {
    std::string kernel = random_bytes(random, 20), target = random_bytes(random, 20);
    std::string key = random_bytes(random, 500), image = random_bytes(random, 2000);
    std::string bytes = encode({kernel, target, key, image});
    auto entry = decode(bytes);
    CHECK(entry.has_value());
    if (!entry) continue;
    CHECK(entry->kernel == kernel && entry->target == target);
    CHECK(entry->key == key && entry->image == image);
    auto head = decode_head(bytes.substr(0, sizeof(CacheEntryHead)), bytes.size());
    CHECK(head && head->key_bytes == key.size());
  }
}

void damage_is_seen(std::mt19937_64& random) {
  std::string good = encode({"kernel", "sm_90", "the key", std::string(300, 'i')});
  for (size_t length = 0; length < good.size(); ++length) CHECK(!decode(good.substr(0, length)));
  CHECK(!decode(good + '\0'));
  for (size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      CHECK(!decode(bad));
    }
  for (int i = 0; i < 20000; ++i) {
    std::string bad = i % 2 == 0 ? good : random_bytes(random, 200);
    for (uint64_t n = random() % 6; n-- > 0 && !bad.empty();) switch (random() % 4) {
        case 0:
          bad[random() % bad.size()] = static_cast<char>(random());
          break;
        case 1:
          bad.erase(random() % bad.size(), random() % 40);
          break;
        case 2:
          bad.insert(random() % bad.size(), random_bytes(random, 40));
          break;
        default: {  // a length of its own choice
          uint64_t length = random() >> random() % 64;
          size_t at = 8 + random() % 24;
          if (at + sizeof length <= bad.size()) std::memcpy(&bad[at], &length, sizeof length);
        }
      }
    if (bad != good) CHECK(!decode(bad));
  }
}

void lengths_must_add_up() {
  std::string good = encode({"k", "t", "key", "image"});
  auto with = [&](size_t at, uint64_t value, size_t bytes) {
    std::string bad = good;
    std::memcpy(&bad[at], &value, bytes);
    return decode_head(bad, bad.size()).has_value();
  };
  CHECK(with(16, 3, 8));
  CHECK(!with(16, 4, 8));
  CHECK(!with(16, uint64_t{1} << 40, 8));
  CHECK(!with(24, ~uint64_t{0}, 8));
  CHECK(!with(8, ~uint32_t{0}, 4));
  // The two lengths wrap around to the right sum.
  std::string bad = good;
  uint64_t key = ~uint64_t{0}, image = 9;
  std::memcpy(&bad[16], &key, 8);
  std::memcpy(&bad[24], &image, 8);
  CHECK(!decode_head(bad, bad.size()));
  CHECK(!decode_head(good, good.size() + 1));
  CHECK(!decode_head(good, cache_entry_limit + 1));
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  comes_back(random);
  damage_is_seen(random);
  lengths_must_add_up();
  return check::result();
}
