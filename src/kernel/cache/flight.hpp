// Making each thing once, however many threads ask for it at the same time, and keeping it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/compile.hpp"

namespace gpuarr {

/// How a caller of Flights::get() came by the product.
enum class Came { kept, made, waited };

/// `Product` is a pointer, null for none. Never destroy it: threads may ask while the process ends.
template <class Key, class Hash, class Product>
class Flights {
 public:
  /// The product that `make` makes, or made before. If it throws, all who wait get the same error,
  /// each one of its own, and the next caller tries again.
  template <class Make>
  Product get(const Key& key, const Make& make, Came& came) {
    Claim claimed = claim(key);
    came = claimed.product ? Came::kept : claimed.ours ? Came::made : Came::waited;
    if (claimed.product) return claimed.product;
    if (claimed.ours) {
      Outcome made = attempt(make);
      finish(key, claimed.making, made.product);
      claimed.making->promise.set_value(std::move(made));
    }
    const Outcome& outcome = claimed.making->outcome.get();
    if (outcome.raise) outcome.raise();
    if (outcome.error) std::rethrow_exception(outcome.error);
    return outcome.product;
  }

  /// The next caller makes it again.
  void forget(const Key& key) {
    std::lock_guard lock(mutex_);
    auto found = slots_.find(key);
    if (found != slots_.end() && found->second.product) slots_.erase(found);
  }

 private:
  struct Outcome {
    Product product;
    std::function<void()> raise;  // throws an error of the caller's own, not one that threads share
    std::exception_ptr error;     // where there is no memory for that
  };

  // What one thread makes and others wait for.
  struct Making {
    uint32_t generation = fork_generation();
    std::promise<Outcome> promise;
    std::shared_future<Outcome> outcome{promise.get_future()};
  };

  struct Slot {
    Product product;                 // once it is made
    std::shared_ptr<Making> making;  // until then
  };

  struct Claim {
    Product product;  // made already
    std::shared_ptr<Making> making;
    bool ours = false;  // to make
  };

  template <class Make>
  static Outcome attempt(const Make& make) {
    try {
      return {make(), nullptr, nullptr};
    } catch (const CompileError& error) {
      return failed(error);
    } catch (const Error& error) {
      return failed(error);
    } catch (...) {
      return {nullptr, nullptr, std::current_exception()};
    }
  }

  // Throws nothing: others wait for the outcome.
  template <class E>
  static Outcome failed(const E& error) noexcept {
    try {
      return {nullptr, [error] { std::rethrow_exception(std::make_exception_ptr(error)); },
              nullptr};
    } catch (...) {
      return {nullptr, nullptr, std::current_exception()};
    }
  }

  Claim claim(const Key& key) {
    std::lock_guard lock(mutex_);
    Slot& slot = slots_[key];
    if (slot.product) return {slot.product, nullptr, false};
    // In the child of a fork nobody goes on with what a thread of the parent began.
    bool ours = !slot.making || slot.making->generation != fork_generation();
    if (ours) slot.making = std::make_shared<Making>();
    return {nullptr, slot.making, ours};
  }

  // Takes the slot of a failed attempt away, so that the next one tries again.
  void finish(const Key& key, const std::shared_ptr<Making>& making, Product product) {
    std::lock_guard lock(mutex_);
    auto found = slots_.find(key);
    if (found == slots_.end() || found->second.making != making) return;
    if (product)
      found->second = {std::move(product), nullptr};
    else
      slots_.erase(found);
  }

  ForkSafeMutex mutex_;
  std::unordered_map<Key, Slot, Hash> slots_;
};

}  // namespace gpuarr
