// The user's texts of reductions and scans as functions of the source:
//
//   _map(_p, elements..., numbers...)  what an element of the inputs counts as
//   _reduce(_p, a, b)                  two partial results, combined
//   _identity(_p)                      the first one, where the kernel asks for it
//   _post(_p, a, outputs..., numbers...)
#pragma once

#include <functional>
#include <string>

#include "codegen/layout/writer.hpp"
#include "codegen/reduction/reduction.hpp"

namespace gpuarr {

struct UserFunctions {
  const ReductionText& pieces;
  bool has_identity;
  const char* map_numbers;  // parameters behind the elements, each with a comma before it
  const char* post_takes;   // type of what post gets, and of the reference to it that it sees
  const char* post_sees;
  const char* post_numbers;
  /// What a text sees beside the kernel's parameters; `piece` is its name.
  std::function<std::string(std::string_view piece, const UserText& text)> indices;

  void write(KernelWriter& out) const;

 private:
  void write_body(KernelWriter& out, const char* piece, const UserText& text,
                  const std::string& names) const;
};

/// The type `_type_reduce` of a partial result, and what it has to be.
std::string reduce_type_text(std::string_view type);

}  // namespace gpuarr
