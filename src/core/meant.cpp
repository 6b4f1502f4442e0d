// What a misspelt name was to be.
#include "core/meant.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gpuarr {
namespace {

constexpr size_t longest_word = 64;  // the work is the product of two lengths

// How many letters are changed, put in, taken out or swapped with the next between two words.
size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<size_t> older, before(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    older = std::exchange(before, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string meant(std::string_view word, std::span<const std::string_view> names) {
  if (word.size() > longest_word) return "";
  std::string_view nearest;
  size_t least = std::min<size_t>(word.size() / 3 + 1, 3);  // more is another word
  for (const std::string_view name : names) {
    if (name.size() > longest_word || name == word) continue;
    const size_t own = edits_between(word, name);
    if (own < name.size() && (nearest.empty() ? own <= least : own < least)) {
      least = own;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace gpuarr
