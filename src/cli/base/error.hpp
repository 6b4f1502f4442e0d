// The two ways in which the command fails.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "gpuarr.h"

namespace cli {

/// What was asked for cannot be done: exit status 1, or that of a program that was run.
struct Failure : std::runtime_error {
  explicit Failure(const std::string& message, int its_status = 1)
      : std::runtime_error(message), status(its_status) {}
  int status;
};

/// The command line makes no sense: exit status 2, and a hint to --help.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Turns a status of the library into a Failure with its message.
void check(gpuarr_status status);

/// Whether `gpuarr op` has an operation of this name (op/op.cpp), so that messages may call it so.
bool is_operation(std::string_view name);

/// The library's last message, without the name of the C function before it.
std::string last_message();

}  // namespace cli
