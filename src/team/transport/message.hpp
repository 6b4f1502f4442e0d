// What transports have in common: tags of a team, and messages that nobody waits for any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "team/transport/transport.hpp"

namespace gpuarr::team {

/// The first tag of one of the teams of the same processes. They keep below 32768, which is as far
/// as every MPI counts them, and so return after 4096 teams.
inline int first_tag(uint32_t team) {
  constexpr uint32_t tags = Transport::most_tag + 1;
  return static_cast<int>(team % (32768 / tags) * tags);
}

/// What a Request of theirs points to is a struct of this, and is deleted when the message is over.
struct Message {
  std::shared_ptr<void> keeper;  // of its memory, where it was dropped
  Message* next = nullptr;
};

/// Those that were dropped, until they are over. Adding one needs no memory and cannot fail. What
/// is left at the end stays with its memory, which may still be written to.
template <class M>
class Dropped {
 public:
  Dropped() = default;
  ~Dropped() {
    sweep([](const M& message) { return message.keeper == nullptr; });
  }
  Dropped(const Dropped&) = delete;
  Dropped& operator=(const Dropped&) = delete;

  void add(Request& request, std::shared_ptr<void> keeper) noexcept {
    Message* message = static_cast<M*>(std::exchange(request.handle, nullptr));
    if (message == nullptr) return;
    message->keeper = std::move(keeper);
    push(message);
  }

  /// Deletes those of which `is_over`, which may not throw, says so.
  template <class IsOver>
  void sweep(const IsOver& is_over) noexcept {
    if (first_.load(std::memory_order_relaxed) == nullptr) [[likely]]
      return;
    Message* all = first_.exchange(nullptr);
    while (all != nullptr) {
      auto* message = static_cast<M*>(std::exchange(all, all->next));
      if (is_over(*message))
        delete message;
      else
        push(message);
    }
  }

 private:
  void push(Message* message) noexcept {
    message->next = first_.load();
    while (!first_.compare_exchange_weak(message->next, message)) {
    }
  }

  std::atomic<Message*> first_{nullptr};
};

}  // namespace gpuarr::team
