// How a kernel is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/user_text.hpp"

namespace gpuarr {

/// A user's text that stands in another kernel's preamble, and what messages call it.
struct UserPart {
  std::string name;
  UserText text;
};

struct KernelOptions {
  std::string name;  // empty: the kind's
  UserText preamble;
  UserText loop_prep;
  UserText after_loop;
  std::string reduce_type;  // of a reduction; empty: that of its first output
  bool commutative = true;  // a reduction's operator
  bool contract = true;     // products and sums may become fused multiply-adds
  std::vector<UserPart> parts;
  std::vector<std::string> compiler;
  std::vector<std::string> instances;  // of a module's templates: "scale<float, 4>"
  int checks = 0;                      // GPUARR_CHECK_..., of a module's kernels
  std::optional<double> time_limit;    // of a compile, in seconds; 0 for none

  void set_name(const char* value);  // fails if it is no C identifier
  void set_reduce_type(const char* value);
  void set_commutative(int32_t value);
  void set_checks(int32_t value);
  void set_time_limit(double seconds);
  void add_instance(const char* expression);
  void add(const char* option);  // to `compiler`
};

/// What $GPUARR_CHECK asks for: "memory,race,sync" or a part of it; fails for anything else.
int checks_of_environment();

/// Takes -D and -U out of the compiler's options: as directives, to stand behind our own text,
/// which they must not change.
std::string take_defines(std::vector<std::string>& options);

}  // namespace gpuarr
