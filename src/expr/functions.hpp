// What goes before the kernels: each function of the catalogue once for the dtypes that it is
// computed in, in a namespace of its own, since the catalogue's texts all name the same things.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expr/node.hpp"

namespace gpuarr::expr {

inline const char* cxx(DType dtype) { return facts_of(dtype).cxx; }

class Functions {
 public:
  /// "f0::value", of operands of these dtypes.
  std::string of_function(const FunctionNode& node, std::span<const DType> operands);
  std::string of_convert(DType to, DType from);

  /// "r0", which has the types P and O, map, reduce, identity and value. Where the identity does
  /// not enter by the kernel, value lets it in.
  std::string of_reducer(const ReducerText& text, DType element, DType result, bool enters);

  /// The same of a user's: "u0::value1", and "r0" with value(a, n).
  std::string of_kernel(const KernelNode& node);
  std::string of_reducer(const UserReduction& user, bool enters);

  std::string take();

  std::vector<UserPart> parts;

 private:
  std::string part(const Generated& kernel, const char* piece, const UserText& text);
  std::string space(const char* letter, const std::string& body);

  std::vector<std::pair<std::string, std::string>> spaces_;
  std::map<std::string, std::string> names_;
  bool has_reducers_ = false;
};

}  // namespace gpuarr::expr
