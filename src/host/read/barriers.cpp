#include "host/read/barriers.hpp"

#include <algorithm>

#include "host/read/global_index.hpp"

namespace gpuarr::host {
namespace {

// What cooperative groups are made and named by, and what they call.
constexpr std::string_view groups[] = {
    "gpuarr_grid_barrier", "cooperative_groups", "this_thread_block", "thread_block",
    "thread_group",        "tiled_partition",    "thread_block_tile", "coalesced_threads",
    "coalesced_group",     "binary_partition",   "labeled_partition", "this_grid",
    "grid_group",          "this_cluster",       "cluster_group"};

// __nanosleep() lets others run, of all warps.
constexpr std::string_view warps[] = {"__syncwarp", "__shfl",       "__any",
                                      "__all",      "__ballot",     "__match_",
                                      "__reduce_",  "__activemask", "__nanosleep"};

int of_primitive(std::string_view word) {
  if (word.starts_with("__")) {
    if (word.starts_with("__syncthreads") || word.starts_with("__barrier_sync")) return 1;
    return std::ranges::any_of(warps, [&](auto w) { return word.starts_with(w); }) ? 2 : 0;
  }
  return is_one_of(word, groups) ? 2 : 0;
}

}  // namespace

BarrierUse::BarrierUse(const Parsed& parsed)
    : parsed_(parsed), in_global_index_(mark_global_indices(parsed)) {
  for (const Declaration& d : parsed.outline.declarations) {
    if (d.kind == Declaration::Kind::function)
      add_function(d);
    else
      add_other(d);
  }
  for (const ClassHead& c : parsed.outline.classes) add(names_, c.name, c.bases);
  settle();
}

void BarrierUse::add_function(const Declaration& d) {
  const TokenRange all = {d.head.first, d.has_body ? d.body.last : d.head.last};
  const std::string_view name = parsed_.tokens[d.name].text;
  const bool is_method = !d.in_class.empty();
  // Constructors and operators are called without being named.
  const bool is_unnamed = is_method && (name == "operator" || name == d.in_class);
  add(is_method && !is_unnamed ? methods_ : names_, is_unnamed ? d.in_class : name, all, is_method);
}

// using X = Y; typedef Y X; auto f = [] { ... };
void BarrierUse::add_other(const Declaration& d) {
  if (d.head.empty()) return;
  if (parsed_.is(d.head.first, "using") && parsed_.is_word(d.head.first + 1)) {
    add(names_, parsed_.tokens[d.head.first + 1].text, d.head);
  } else if (parsed_.is(d.head.first, "typedef") && parsed_.is_word(d.head.last - 1)) {
    add(names_, parsed_.tokens[d.head.last - 1].text, d.head);
  } else {
    for (const Declarator& one : read_declarators(parsed_, d.head).list)
      add(names_, parsed_.tokens[one.name].text, d.head);
  }
}

void BarrierUse::add(Names& names, std::string_view name, TokenRange range, bool in_class) {
  texts_.push_back({&names[name], range, in_class});
}

BarrierUse::Need BarrierUse::need_of(size_t at) const {
  const std::string_view word = parsed_.tokens[at].text;
  if (word != "threadIdx" && word != "blockIdx") return {of_primitive(word), false};
  const bool along_x = !parsed_.is(at + 1, ".") || parsed_.is(at + 2, "x");
  return {0, along_x && !in_global_index_[at]};
}

bool BarrierUse::add(Need& to, const Need& more) {
  const bool grows = more.threads > to.threads || (more.block && !to.block);
  to.threads = std::max(to.threads, more.threads);
  to.block |= more.block;
  return grows;
}

// f(what a word needs of itself, the name that it may be or null)
template <class F>
void BarrierUse::each_mention(TokenRange range, bool in_class, F&& f) const {
  for (size_t k = range.first; k < range.last; ++k) {
    if (!parsed_.is_word(k)) continue;
    const std::string_view word = parsed_.tokens[k].text;
    const auto name = names_.find(word);
    f(need_of(k), name == names_.end() ? nullptr : &name->second);
    if (!in_class && !parsed_.is_member(k) && !parsed_.is(k - 1, "template")) continue;
    if (const auto method = methods_.find(word); method != methods_.end()) f({}, &method->second);
  }
}

// Until nothing changes any more: each name needs what those need that it mentions.
void BarrierUse::settle() {
  for (const Text& text : texts_)
    each_mention(text.range, text.in_class, [&](const Need& need, const Name* name) {
      add(text.name->need, need);
      if (name != nullptr && name != text.name) text.name->mentions.push_back(name);
    });
  for (bool changed = true; changed;) {
    changed = false;
    for (const Text& text : texts_)
      for (const Name* name : text.name->mentions) changed |= add(text.name->need, name->need);
  }
}

BarrierUse::Need BarrierUse::need_of(TokenRange range) const {
  Need out;
  each_mention(range, false, [&](const Need& need, const Name* name) {
    add(out, need);
    if (name != nullptr) add(out, name->need);
  });
  return out;
}

BarrierUse::Need BarrierUse::need_of(std::string_view expression) const {
  Need out;
  for (const Token& token : tokenize(expression)) {
    if (token.kind != Token::Kind::identifier) continue;
    add(out, {of_primitive(token.text), false});
    if (const auto found = names_.find(token.text); found != names_.end())
      add(out, found->second.need);
  }
  return out;
}

int BarrierUse::of(TokenRange range) const { return need_of(range).threads; }
int BarrierUse::of(std::string_view expression) const { return need_of(expression).threads; }

bool BarrierUse::knows_its_block(TokenRange range) const { return need_of(range).block; }
bool BarrierUse::knows_its_block(std::string_view expression) const {
  return need_of(expression).block;
}

}  // namespace gpuarr::host
