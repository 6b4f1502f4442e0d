// Shared libraries that are opened at run time, and calls into them.
#pragma once

#include <string>

namespace gpuarr {

/// An opened library. It is never closed: its threads and exit handlers go on living.
struct Library {
  void* handle = nullptr;
  std::string path;  // the file that it came from

  explicit operator bool() const { return handle != nullptr; }
  void* symbol(const char* name) const;  // null if it has none of that name
};

/// Opens a file, or a soname by the loader's own search. On failure the result is empty and
/// `tried` gets the name and the reason.
Library open_library(const std::string& name, std::string& tried);

/// The library of that soname if this process has it open already.
Library loaded_library(const std::string& soname);

struct Optional {};
inline constexpr Optional optional;

/// A function of an opened library, bound to its name. `Owner` is the struct that holds it: it
/// finds the address and turns a bad result into an Error.
template <class Owner, class F>
class Call;

template <class Owner, class R, class... A>
class Call<Owner, R (*)(A...)> {
 public:
  template <class... Where>
  Call(const Owner& owner, const char* name, Where... where)
      : function_(reinterpret_cast<R (*)(A...)>(owner.find(name, where...))),
        owner_(owner),
        name_(name) {}

  /// One that the library may lack; it is then false, and must not be called.
  template <class... Where>
  Call(const Owner& owner, Optional, const char* name, Where... where)
      : function_(reinterpret_cast<R (*)(A...)>(owner.find_optional(name, where...))),
        owner_(owner),
        name_(name) {}

  explicit operator bool() const { return function_ != nullptr; }

  void operator()(A... arguments) const {
    if (R result = function_(arguments...); result != R{}) [[unlikely]]
      owner_.fail(name_, result);
  }

  /// False for one result that the caller handles himself.
  bool succeeds_unless(R other, A... arguments) const {
    const R result = function_(arguments...);
    if (result != R{} && result != other) [[unlikely]]
      owner_.fail(name_, result);
    return result == R{};
  }

  /// For the callers that handle several results themselves.
  R unchecked(A... arguments) const { return function_(arguments...); }

 private:
  R (*function_)(A...);
  const Owner& owner_;
  const char* name_;
};

}  // namespace gpuarr
