#include "device/memory_hooks.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/fork.hpp"

namespace gpuarr {

std::atomic<int> memory_hooks{0};

namespace {

// Numbered functions. Readers keep the list that they saw, so that none is held while one runs.
template <class F>
class Functions {
 public:
  struct Entry {
    Entry(int64_t its_number, F its_function)
        : number(its_number), function(std::move(its_function)) {}
    int64_t number;
    F function;
    std::atomic<bool> removed{false};
  };
  using List = std::vector<std::shared_ptr<Entry>>;

  int64_t add(F function) {
    std::lock_guard lock(mutex_);
    auto added = std::make_shared<Entry>(last_ + 1, std::move(function));
    auto changed = without_removed();
    changed->push_back(std::move(added));
    list_ = std::move(changed);
    return ++last_;
  }
  // Does not fail where memory is out: whoever removes a function takes away what it works with.
  bool remove(int64_t number) {
    std::shared_ptr<const List> old;  // its functions go after the lock
    std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        *list_, [&](const auto& entry) { return entry->number == number && !entry->removed; });
    if (found == list_->end()) return false;
    (*found)->removed = true;
    try {
      old = std::exchange(list_, without_removed());
    } catch (const std::bad_alloc&) {
      // It leaves the list with the next one that is added or removed.
    }
    return true;
  }
  std::shared_ptr<const List> list() const {
    std::lock_guard lock(mutex_);
    return list_;
  }

 private:
  std::shared_ptr<List> without_removed() const {
    auto out = std::make_shared<List>(*list_);
    std::erase_if(*out, [](const auto& entry) { return entry->removed.load(); });
    return out;
  }

  mutable ForkSafeMutex mutex_;
  int64_t last_ = 0;
  std::shared_ptr<const List> list_ = std::make_shared<List>();
};

Functions<MemoryHook>& hooks() {
  static auto* instance = new Functions<MemoryHook>;
  return *instance;
}

Functions<Reclaim>& reclaims() {
  static auto* instance = new Functions<Reclaim>;
  return *instance;
}

thread_local bool reclaiming = false;

}  // namespace

int64_t add_memory_hook(MemoryHook hook) {
  int64_t number = hooks().add(std::move(hook));
  memory_hooks.fetch_add(1);
  return number;
}

bool remove_memory_hook(int64_t number) {
  if (!hooks().remove(number)) return false;
  memory_hooks.fetch_sub(1);
  return true;
}

int64_t add_reclaim(Reclaim reclaim) { return reclaims().add(std::move(reclaim)); }

bool remove_reclaim(int64_t number) { return reclaims().remove(number); }

void call_memory_hooks(const MemoryCall& call) {
  const auto list = hooks().list();
  for (const auto& entry : *list)
    if (!entry->removed) entry->function(call);
}

void tell_memory_hooks(const MemoryCall& call) noexcept {
  const auto list = hooks().list();
  for (const auto& entry : *list) try {
      if (!entry->removed) entry->function(call);
    } catch (...) {
      // What is told is done already.
    }
}

bool reclaim_memory(Device& device, int64_t bytes) {
  if (reclaiming) return false;
  struct Turn {
    Turn() { reclaiming = true; }
    ~Turn() { reclaiming = false; }
  } turn;
  bool any = false;
  const auto list = reclaims().list();
  for (const auto& entry : *list)
    if (!entry->removed) any = entry->function(device, bytes) || any;
  return any;
}

}  // namespace gpuarr
