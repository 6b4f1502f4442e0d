#include "expr/parse/texts.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/fork.hpp"
#include "core/once.hpp"
#include "core/per_thread.hpp"
#include "expr/parse/lexer.hpp"
#include "expr/parse/parser.hpp"

namespace gpuarr::expr {
namespace {

using Shared = std::shared_ptr<const Parsed>;

// What all threads share. Where there is no more room, the half that was not used for longest goes.
class Texts {
 public:
  Shared find(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto known = all_.find(text);
    if (known == all_.end()) return nullptr;
    known->second.used = ++clock_;
    return known->second.parsed;
  }

  Shared keep(Parsed made) {
    auto parsed = std::make_shared<const Parsed>(std::move(made));
    const std::string_view text = parsed->text;
    std::vector<Shared> gone;  // destroyed behind the lock
    const std::lock_guard lock(mutex_);
    if (all_.size() >= most_texts || bytes_ + text.size() > most_bytes) forget(gone);
    const auto [entry, is_new] = all_.try_emplace(text, Entry{parsed, ++clock_});
    if (is_new) bytes_ += text.size();
    return entry->second.parsed;
  }

 private:
  static constexpr size_t most_texts = 1024, most_bytes = size_t{1} << 20;

  struct Entry {
    Shared parsed;
    uint64_t used;
  };

  void forget(std::vector<Shared>& gone) {
    std::vector<uint64_t> times;
    for (const auto& [text, entry] : all_) times.push_back(entry.used);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    if (middle == times.end()) return;
    std::nth_element(times.begin(), middle, times.end());
    for (auto entry = all_.begin(); entry != all_.end();) {
      const auto next = std::next(entry);
      if (entry->second.used <= *middle) {
        bytes_ -= entry->first.size();
        gone.push_back(std::move(entry->second.parsed));
        all_.erase(entry);
      }
      entry = next;
    }
  }

  ForkSafeMutex mutex_;
  std::unordered_map<std::string_view, Entry> all_;  // by the texts that they hold
  size_t bytes_ = 0;
  uint64_t clock_ = 0;
};

Texts& texts() {
  static Undying<Texts> all;
  return *all;
}

// What a thread used lately.
struct Lately {
  static constexpr size_t places = 16, most_bytes = 4096;
  std::array<Shared, places> all;
};

}  // namespace

Shared parsed(std::string_view text) {
  if (text.size() > most_expression_bytes)
    fail(GPUARR_ERR_ARGUMENT, "text has more than {} bytes; give an expression of no more",
         most_expression_bytes);
  Shared& known =
      PerThread<Lately>::get().all[std::hash<std::string_view>()(text) % Lately::places];
  if (known != nullptr && known->text == text) return known;
  Shared found = texts().find(text);
  if (found == nullptr) found = texts().keep(parse(text));
  if (text.size() <= Lately::most_bytes) known = found;
  return found;
}

}  // namespace gpuarr::expr
