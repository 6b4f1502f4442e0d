// Reduction kernels: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/reduction/parameters.hpp"
#include "kernel/map_reduce.hpp"
#include "kernel/repeat.hpp"

namespace gpuarr {

class Reduction {
 public:
  Reduction(const MapReduceSpec& spec, const KernelOptions& options);

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   const AxisRequest& axes, Stream* stream,
                   std::optional<Repeat>* repeat = nullptr);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       const AxisRequest& axes);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     const AxisRequest& axes);

  /// A block of a larger reduction's inputs: the arrays, and which block of it they are together.
  struct Part {
    std::span<const Argument> inputs;
    AxisRequest axes;
    Piece piece;  // where the order counts, cut along the first reduced axis and kept ones only
  };

  // A reduction in stages, of inputs that lie in blocks, maybe on several devices: partial results
  // of each block, which the caller brings together, of those that differ along reduced axes alone
  // and in their order; then the results. n, i, _J, _j, _in_ind and _out_ind are those of the
  // whole, which has elements: without, it is a plain call of inputs of its shape. Outputs must
  // have types without being given.
  //
  // Partial results are bytes of shape (sets, bytes of a set), without gaps: a set has those of a
  // block's own results, in C order. combine and finish ask for the inputs of any of the blocks, or
  // stand_in(): they read raw inputs and scalars only. Outputs of finish are the block's results.
  Array partial(const Part& part, Stream* stream);
  void partial_into(const Array& set, const Part& part, Stream* stream);
  Array combine(const Array& partials, const Part& part, Stream* stream);
  MadeOutputs finish(const Array& partials, const Part& part, std::span<const Array* const> outputs,
                     Stream* stream);
  /// Bytes of a set.
  int64_t set_bytes(const Part& part) const;

  /// Of arrays that need no memory, and the text with its types. Fails as a call does.
  std::pair<CallFacts, ReductionText> facts_of(std::span<const Argument> inputs,
                                               const AxisRequest& axes) const;
  const Generated& generated() const { return generated_; }
  bool is_ordered() const { return traits_.ordered; }

  size_t input_count() const { return generated_.signature.inputs.size(); }
  size_t output_count() const { return generated_.signature.outputs.size(); }

 private:
  struct Job;

  Stage checked_stage(const Binding& binding) const;
  // `memory` has what the job's stage reads and writes.
  void run(const Job& job, Workspace memory, Stream& stream,
           std::optional<Repeat>* repeat = nullptr);
  void gather(const Array& partials, const Job& job, void* out, Stream& stream);
  int64_t partial_bytes(const Binding& binding) const;  // of one, at most
  int64_t set_bytes(const Binding& binding) const;
  void check_partials(const Array& partials, const Binding& binding) const;
  void partial_into(const Array& set, const Binding& binding, const Piece& piece, Stream& stream);
  std::string generate(const ReductionText& typed, const Job& job) const;
  const std::shared_ptr<Function>& function_for(const Job& job);
  LaunchLabel label(const Job& job) const;

  Generated generated_;
  ReductionText text_;
  ReductionTraits traits_;
  int struct_bytes_;
};

/// Sets of partial results of a reduction, one behind the other. All are on the stream's device.
Array stack(std::span<const Array> partials, Stream& stream);

/// What set_bytes, combine and finish take for an input of which no block is at hand: an array
/// without elements of its own, on the other one's device.
Array stand_in(const Array& other, DType dtype, const Dims& shape);

}  // namespace gpuarr
