// The one exception of the library, and how it is thrown.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "gpuarr/base.h"

namespace gpuarr {

class Error : public std::exception {
 public:
  Error(gpuarr_status status, std::string message, int native = 0)
      : status_(status), native_(native), message_(std::move(message)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  gpuarr_status status() const noexcept { return status_; }
  int native() const noexcept { return native_; }  // CUresult, nvrtcResult, errno, MPI's; 0: none
  const std::string& message() const noexcept { return message_; }

 private:
  gpuarr_status status_;
  int native_;
  std::string message_;
};

/// Throws an Error. The message says what is wrong, with names and values, and what would be right;
/// the name of the C function is put before it where the exception leaves the library.
template <class... Args>
[[noreturn]] void fail(gpuarr_status status, fmt::format_string<Args...> format, Args&&... args) {
  static_assert(formats_everywhere<Args...>);
  throw Error(status, format_text(format, fmt::make_format_args(args...)));
}

/// "No such file or directory", without strerror's shared buffer.
std::string errno_text(int code);

const char* status_name(gpuarr_status status) noexcept;

}  // namespace gpuarr
