#include "kernel/reduction.hpp"

#include <algorithm>
#include <array>

#include "backends.hpp"
#include "core/error.hpp"
#include "kernel/launch/workspace.hpp"
#include "kernel/reduction_job.hpp"

namespace gpuarr {
namespace {

void check_parameters(const Signature& signature) {
  for (const Parameter& p : signature.outputs)
    if (p.raw)
      fail(GPUARR_ERR_SYNTAX,
           "out_params has \"{}\", which is raw; a reduction's outputs cannot be", p.name);
  if (std::ranges::all_of(signature.inputs, &Parameter::raw))
    fail(GPUARR_ERR_SYNTAX,
         "in_params has no parameter that is not raw; a reduction takes its shape from one");
}

void take_folds(ReductionTraits& traits, std::span<const FoldType> folds) {
  if (folds.empty()) return;
  int bytes = 0;
  for (const FoldType& fold : folds) {
    bytes += fold.bytes;
    traits.is_struct |= fold.is_struct;
  }
  traits.partial_bytes = bytes;
}

}  // namespace

Reduction::Job::Job(const Reduction& kernel, const Binding& bound, Device& on, Stage stage,
                    const Piece& piece)
    : binding(bound), device(on) {
  ReductionTraits traits = kernel.traits_;
  plan.variant.folds = static_cast<uint16_t>(kernel.text_.folds.size());
  if (kernel.text_.folds.empty()) {
    auto dtype = reduce_dtype(kernel.text_, kernel.generated_, bound);
    traits.is_struct = !dtype;
    traits.partial_bytes = dtype ? size_of(*dtype) : 16;
  }
  plan.variant.stage = stage;
  Dims shape = bound.shape();
  if (stage == Stage::empty)
    for (int axis = 0; axis < shape.size(); ++axis) shape[axis] = std::max<int64_t>(shape[axis], 1);
  make_reduction_plan(plan, target_of(on), bound.operands(), shape, bound.axes(), traits, piece);
  if (stage == Stage::empty) plan.size = 0;
  bytes = checked_parameter_bytes(parameter_bytes(plan));
}

ReductionGeometry Reduction::Job::geometry(Function& function) const {
  constexpr int threads = ReductionGeometry{}.threads;
  const ReductionGeometry g =
      geometry_of(plan, int64_t{device.facts().processors} * function.resident_blocks(threads));
  if (g.blocks > device.facts().most_blocks)
    fail(GPUARR_ERR_SHAPE, "inputs of shape {} take {} blocks, more than {} can start",
         to_string(binding.shape()), g.blocks, device.facts().name);
  return g;
}

Reduction::Reduction(const MapReduceSpec& spec, const KernelOptions& options)
    : generated_(spec.in_params, spec.out_params, options, "reduction"),
      text_(checked_texts(spec, options, generated_, {"a reduction", "reduced"})),
      traits_(traits_of(text_)),
      struct_bytes_(spec.struct_bytes > 0 ? spec.struct_bytes : most_partial_bytes) {
  check_parameters(generated_.signature);
  traits_.ordered = !options.commutative;
  take_folds(traits_, text_.folds);
}

MadeOutputs Reduction::call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                            const AxisRequest& axes, Stream* given, std::optional<Repeat>* repeat) {
  Binding binding(generated_.signature, inputs, outputs, axes);
  Stream& stream = binding.stream(given);
  Stage stage = checked_stage(binding);
  binding.require_apart();
  binding.make_outputs(stream);
  if (size_of(binding.out_shape()) == 0) return binding.take_made();
  Job job(*this, binding, stream.device(), stage);
  run(job, {}, stream, repeat);
  return binding.take_made();
}

void Reduction::run(const Job& job, Workspace memory, Stream& stream,
                    std::optional<Repeat>* repeat) {
  const auto& function = function_for(job);
  const ReductionGeometry geometry = job.geometry(*function);
  WorkspaceLease lease(geometry, most_partial_bytes, stream);
  memory.partials = lease.get().partials;
  memory.counters = lease.get().counters;
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  FieldOffsets offsets;
  write_parameters(parameters.data(), job.plan, job.binding.operands(), geometry, memory,
                   repeat != nullptr ? &offsets : nullptr);
  const LaunchShape shape{geometry.blocks, geometry.threads, 0};
  if (repeat != nullptr && workspace_bytes(geometry, most_partial_bytes) == 0)
    repeat->emplace(function, shape, std::span(parameters.data(), job.bytes),
                    job.binding.operands(), offsets);
  job.binding.mark_used(stream);
  launch_noted(
      stream, [&] { return label(job); },
      [&] { function->launch(shape, parameters.data(), job.bytes, stream); });
}

Stage Reduction::checked_stage(const Binding& binding) const {
  if (!binding.empty() || size_of(binding.out_shape()) == 0) return Stage::whole;
  if (!text_.identity)
    fail(GPUARR_ERR_EMPTY,
         "zero-size array to reduction operation {} which has no identity (inputs of shape {}); "
         "give it an identity, or elements",
         text_.name, to_string(binding.shape()));
  return Stage::empty;
}

PreparedCall Reduction::prepare(std::span<const Argument> inputs,
                                std::span<const Array* const> outputs, const AxisRequest& axes) {
  Binding binding(generated_.signature, inputs, outputs, axes);
  Device& device = *binding.device();
  Stage stage = checked_stage(binding);
  binding.require_apart();
  std::vector<Array> arrays = binding.arrays();
  if (size_of(binding.out_shape()) == 0)
    return {device, PreparedFunction{}, {}, std::move(arrays), {}, {}};
  Job job(*this, binding, device, stage);
  const auto& function = function_for(job);
  const ReductionGeometry geometry = job.geometry(*function);
  Workspace workspace;
  if (int64_t bytes = workspace_bytes(geometry, most_partial_bytes); bytes > 0) {
    Stream& stream = device.own_stream();
    arrays.push_back(Array::empty(stream, DType::u8, Dims{bytes}));
    workspace = place_workspace(geometry, most_partial_bytes, *arrays.back().buffer, stream);
    stream.synchronize();  // the call may be launched in any stream
  }
  std::vector<std::byte> parameters(job.bytes);
  FieldOffsets offsets;
  write_parameters(parameters.data(), job.plan, binding.operands(), geometry, workspace, &offsets);
  return {device,
          PreparedFunction{function, {geometry.blocks, geometry.threads, 0}},
          std::move(parameters),
          std::move(arrays),
          scalar_slots(binding.operands(), offsets),
          label(job)};
}

std::string Reduction::source(std::span<const Argument> inputs,
                              std::span<const Array* const> outputs, const AxisRequest& axes) {
  Binding binding(generated_.signature, inputs, outputs, axes);
  if (size_of(binding.out_shape()) == 0)
    fail(GPUARR_ERR_SHAPE, "there are no results, of shape {}, so nothing would be compiled",
         to_string(binding.out_shape()));
  Stage stage = checked_stage(binding);
  binding.require_apart();
  binding.make_outputs(current_stream(*binding.device()));
  Job job(*this, binding, *binding.device(), stage);
  return generate(typed(text_, generated_, binding), job);
}

std::pair<CallFacts, ReductionText> Reduction::facts_of(std::span<const Argument> inputs,
                                                        const AxisRequest& axes) const {
  const std::vector<const Array*> none(output_count());
  const Binding binding(generated_.signature, inputs, none, axes);
  checked_stage(binding);
  return {generated_.facts_of(binding), typed(text_, generated_, binding)};
}

std::string Reduction::generate(const ReductionText& typed, const Job& job) const {
  return reduction_source(typed, target_of(job.device), job.plan.variant, generated_.names,
                          generated_.letters);
}

const std::shared_ptr<Function>& Reduction::function_for(const Job& job) {
  return find_or_make(generated_.table, Key(job.device.index(), job.plan.variant), [&] {
    const ReductionText text = typed(text_, generated_, job.binding);
    return compile(text, generated_, job.binding, job.device, generate(text, job), "_kernel");
  });
}

// Stages have partial results to read or to write, of which the operands do not tell.
LaunchLabel Reduction::label(const Job& job) const {
  LaunchLabel label = generated_.label(job.binding);
  const Stage stage = job.plan.variant.stage;
  if (stage != Stage::whole && stage != Stage::empty) label.read = label.written = std::nullopt;
  return label;
}

}  // namespace gpuarr
