#include "host/barriers.hpp"

#include <algorithm>
#include <array>

namespace gpuarr::host {
namespace {

// What cooperative groups are made and named by.
constexpr auto groups = std::to_array<std::string_view>(
    {"cooperative_groups", "this_thread_block", "thread_block", "thread_group", "tiled_partition",
     "thread_block_tile", "coalesced_threads", "coalesced_group", "binary_partition",
     "labeled_partition", "this_grid", "grid_group", "this_cluster", "cluster_group"});

constexpr auto warps =
    std::to_array<std::string_view>({"__syncwarp", "__shfl", "__any", "__all", "__ballot",
                                     "__match_", "__reduce_", "__activemask"});

int of_primitive(std::string_view word) {
  if (word.starts_with("__")) {
    if (word.starts_with("__syncthreads") || word.starts_with("__barrier_sync")) return 1;
    return std::ranges::any_of(warps, [&](auto w) { return word.starts_with(w); }) ? 2 : 0;
  }
  return std::ranges::find(groups, word) != groups.end() ? 2 : 0;
}

}  // namespace

BarrierUse::BarrierUse(const Parsed& parsed) : parsed_(parsed) {
  for (const Declaration& d : parsed.outline.declarations) {
    if (d.kind != Declaration::Kind::function) {
      add_others(d);
      continue;
    }
    const TokenRange all = {d.head.first, d.has_body ? d.body.last : d.head.last};
    const std::string_view name = parsed.tokens[d.name].text;
    add(name, all);
    // Constructors and operators are called without being named.
    if (name == "operator" || name == d.in_class) add(d.in_class, all);
  }
  for (const ClassHead& c : parsed.outline.classes) add(c.name, c.bases);
  settle();
}

// using X = Y; typedef Y X; auto f = [] { ... };
void BarrierUse::add_others(const Declaration& d) {
  if (d.head.empty()) return;
  if (parsed_.is(d.head.first, "using") && parsed_.is_word(d.head.first + 1)) {
    add(parsed_.tokens[d.head.first + 1].text, d.head);
  } else if (parsed_.is(d.head.first, "typedef") && parsed_.is_word(d.head.last - 1)) {
    add(parsed_.tokens[d.head.last - 1].text, d.head);
  } else {
    for (const Declarator& one : read_declarators(parsed_, {d.declarators, d.head.last}).list)
      add(parsed_.tokens[one.name].text, d.head);
  }
}

void BarrierUse::add(std::string_view name, TokenRange range) {
  if (name.empty()) return;
  Name& entry = names_[name];
  for (size_t k = range.first; k < range.last; ++k) {
    if (!parsed_.is_word(k)) continue;
    const std::string_view word = parsed_.tokens[k].text;
    entry.threads = std::max(entry.threads, of_primitive(word));
    if (word != name) entry.mentions.push_back(word);
  }
}

// Until nothing changes any more: each name needs what those need that it mentions.
void BarrierUse::settle() {
  for (auto& [name, entry] : names_) {
    auto& words = entry.mentions;
    std::erase_if(words, [&](auto word) { return !names_.contains(word); });
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [name, entry] : names_)
      for (std::string_view word : entry.mentions) {
        const int threads = names_.find(word)->second.threads;
        changed |= threads > entry.threads;
        entry.threads = std::max(entry.threads, threads);
      }
  }
}

int BarrierUse::of_word(std::string_view word) const {
  const auto found = names_.find(word);
  return std::max(of_primitive(word), found == names_.end() ? 0 : found->second.threads);
}

int BarrierUse::of(TokenRange range) const {
  int out = 0;
  for (size_t k = range.first; k < range.last; ++k)
    if (parsed_.is_word(k)) out = std::max(out, of_word(parsed_.tokens[k].text));
  return out;
}

int BarrierUse::of(std::string_view expression) const {
  int out = 0;
  for (const Token& token : tokenize(expression))
    if (token.kind == Token::Kind::identifier) out = std::max(out, of_word(token.text));
  return out;
}

}  // namespace gpuarr::host
