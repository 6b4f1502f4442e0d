// Entries of the cache on disk.
#include "kernel/cache/entry.hpp"
#include "targets.hpp"

void fuzz::cache_entry(std::string_view input) {
  using namespace gpuarr;
  decode_head(input, input.size());
  if (const auto entry = decode(input))
    require(encode(*entry) == input, "an entry that is read is written the same");
  const std::string_view key = take_line(input);
  const std::string bytes = encode({"k", "host", key, input});
  const auto entry = decode(bytes);
  require(entry && entry->key == key && entry->image == input,
          "an entry is read as it was written");
}
