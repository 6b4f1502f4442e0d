// How a kernel is built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpuarr {

struct KernelOptions {
  std::string name;  // empty: the kind's
  std::string preamble;
  std::string loop_prep;
  std::string after_loop;
  std::string reduce_type;  // of a reduction; empty: that of its first output
  bool commutative = true;  // a reduction's operator
  std::vector<std::string> compiler;

  void set_name(const char* value);  // fails if it is no C identifier
  void set_reduce_type(const char* value);
  void set_commutative(int32_t value);
  void add(const char* option);  // to `compiler`
};

/// Takes -D and -U out of the compiler's options: as directives, to stand behind our own text,
/// which they must not change.
std::string take_defines(std::vector<std::string>& options);

}  // namespace gpuarr
