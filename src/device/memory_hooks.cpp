#include "device/memory_hooks.hpp"

#include <memory>
#include <mutex>
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
  using List = std::vector<std::pair<int64_t, F>>;

  int64_t add(F function) {
    std::lock_guard lock(mutex_);
    auto changed = std::make_shared<List>(*list_);
    changed->emplace_back(++last_, std::move(function));
    list_ = std::move(changed);
    return last_;
  }
  bool remove(int64_t number) {
    std::shared_ptr<const List> old;  // its functions go after the lock
    std::lock_guard lock(mutex_);
    auto changed = std::make_shared<List>(*list_);
    if (std::erase_if(*changed, [&](const auto& f) { return f.first == number; }) == 0)
      return false;
    old = std::exchange(list_, std::move(changed));
    return true;
  }
  std::shared_ptr<const List> list() const {
    std::lock_guard lock(mutex_);
    return list_;
  }

 private:
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
  for (const auto& [number, hook] : *list) hook(call);
}

void tell_memory_hooks(const MemoryCall& call) noexcept {
  const auto list = hooks().list();
  for (const auto& [number, hook] : *list) try {
      hook(call);
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
  for (const auto& [number, reclaim] : *list) any = reclaim(device, bytes) || any;
  return any;
}

}  // namespace gpuarr
