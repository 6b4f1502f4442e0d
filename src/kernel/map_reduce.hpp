// The texts of reductions and scans.
#pragma once

#include <optional>
#include <string>

#include "codegen/reduction/reduction.hpp"
#include "kernel/generated.hpp"

namespace gpuarr {

/// The user's texts, as given.
struct MapReduceSpec {
  std::string in_params;
  std::string out_params;
  UserText map;
  UserText reduce;
  UserText post;
  std::optional<UserText> identity;
  std::vector<FoldType> folds = {};  // operators that share the pass; none: the texts are of one
  int struct_bytes = 0;              // that a reduce_type has at most; 0: only compilers know
};

/// What messages call it.
struct Wording {
  const char* kind;   // "a reduction"
  const char* value;  // "reduced": what post sees
};

/// The texts for a source; checks them and the outputs' names.
ReductionText checked_texts(const MapReduceSpec& spec, const KernelOptions& options,
                            const Generated& generated, const Wording& wording);

/// The dtype of partial results, if it is one; where no type is given, that of the first output, or
/// what is wide enough for it.
std::optional<DType> reduce_dtype(const ReductionText& text, const Generated& generated,
                                  const Binding& binding);

/// The texts of a call, with the type in them.
ReductionText typed(const ReductionText& text, const Generated& generated, const Binding& binding);

/// Compiles the source that is made of them.
std::shared_ptr<Function> compile(const ReductionText& typed, const Generated& generated,
                                  const Binding& binding, Device& device, const std::string& source,
                                  const char* suffix);

}  // namespace gpuarr
