// Arguments of ready-made operations, from the C ABI's form.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

/// A result that is given, or null where one is to be made. `argument` is what `out` points to.
inline const Array* given_output(gpuarr_array* const* out, const char* argument = "*out") {
  if (out == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", argument + 1);
  return deref_or_null(*out, argument);
}

/// Gives the caller a result that was made.
inline void hand_out(gpuarr_array** out, std::optional<Array> made) {
  if (made) *out = wrap(std::move(*made));
}

/// guard() of a function with one result, which `make` gets if it is given; else it returns one.
template <class Make>
[[gnu::always_inline]] inline gpuarr_status guard_result(const char* function, gpuarr_array** out,
                                                         Make&& make,
                                                         const char* argument = "*out") noexcept {
  return guard(function, [&] { hand_out(out, make(given_output(out, argument))); });
}

/// Gives the caller as many as its list has room for: all, or none where there is no memory.
inline void hand_out(gpuarr_array** outs, std::vector<Array> made) {
  std::vector<MadeResult> results;
  results.reserve(made.size());
  for (Array& array : made) results.emplace_back(outs++, std::move(array));
  hand_out(results);
}

/// A list of numbers, which may be NULL if there are none.
inline std::span<const int64_t> checked_list(int32_t count, const int64_t* list,
                                             const char* argument) {
  if (count < 0) fail(GPUARR_ERR_ARGUMENT, "count is {}; it must be 0 or more", count);
  if (count > 0 && list == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give {} numbers", argument, count);
  return {list, static_cast<size_t>(count)};
}

/// An array or a scalar by value.
class OneArgument {
 public:
  OneArgument(const gpuarr_arg& arg, const char* argument) {
    if (arg.array != nullptr && arg.flags == 0) {
      value_ = {&deref(arg.array, argument), nullptr};
      return;
    }
    if (arg.dtype == 0 && arg.flags == 0)
      fail(GPUARR_ERR_ARGUMENT, "{} is neither an array nor a scalar; an array must not be NULL",
           argument);
    scalar_ = Scalar::from(arg, argument);
    value_ = {nullptr, &scalar_};
  }
  OneArgument(const OneArgument&) = delete;
  OneArgument& operator=(const OneArgument&) = delete;

  const Argument& get() const { return value_; }

 private:
  Scalar scalar_;
  Argument value_;
};

}  // namespace gpuarr
