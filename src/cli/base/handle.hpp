// Owns one reference to an object of the library.
#pragma once

#include <utility>

namespace cli {

template <class T, void (*release)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T* object) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() { release(object_); }

  T* get() const { return object_; }

  /// Where a function of the library puts a new object; the handle must be empty.
  T** out() { return &object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace cli
