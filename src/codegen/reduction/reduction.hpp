// The source of a reduction kernel for one variant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/reduction/plan.hpp"

namespace gpuarr {

/// One of several operators that share a pass, as the texts of folds.cuh have them.
struct FoldType {
  std::string cxx;  // of its partial result
  int bytes;
  bool is_struct = false;
};

/// What has their partial results side by side.
std::string folds_type(std::span<const FoldType> folds);

/// The user's pieces, of a reduction or a scan.
struct ReductionText {
  std::string name;  // of the kernel; its symbol is this and _kernel; of a scan's, see suffix()
  UserText preamble;
  UserText reduce_type;  // as C++ spells it
  UserText map;
  UserText reduce;
  UserText post;
  std::optional<UserText> identity;
  UserText defines = {};  // macros that were given as options
  std::vector<FoldType> folds =
      {};  // that reduce_type has side by side, if it is no type of its own
  std::optional<DType> reduce_dtype = {};  // that reduce_type names, looked up once

  std::vector<const UserText*> all() const {
    std::vector<const UserText*> out = {&defines, &preamble, &reduce_type, &map, &reduce, &post};
    if (identity) out.push_back(&*identity);
    return out;
  }

  /// Functions of libmvec that map and post call. Those of the operator are not asked for: what
  /// it gives depends on the order of the elements anyway.
  VectorMath vector_math(const OperandVariants& operands) const;
  VectorMath vector_math_of_map(const OperandVariants& operands) const;
};

/// Whether the operator is commutative they do not say.
ReductionTraits traits_of(const ReductionText& text);

/// The whole source. `letters` are the placeholders.
std::string reduction_source(const ReductionText& text, const Target& target,
                             const ReductionVariant& variant, std::span<const OperandName> names,
                             std::span<const Letter> letters);

}  // namespace gpuarr
