#include "kernel/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "backends.hpp"
#include "core/error.hpp"
#include "kernel/cache.hpp"
#include "kernel/diagnose.hpp"
#include "kernel/reduction_job.hpp"
#include "kernel/workspace.hpp"

namespace gpuarr {
namespace {

// Everything that the text depends on, beside what is the same for all calls of one kernel.
Key key_of(const ReductionPlan& p, std::span<const Operand> operands, const Device& device) {
  Key key;
  key.add(device.index());
  key.add(static_cast<int>(p.stage) * 2 + static_cast<int>(p.form));
  key.add(p.nest.ndim);
  key.add(p.kept);
  key.add(p.pack);
  key.add(p.packs);
  key.add(std::bit_width(static_cast<unsigned>(p.lanes)));
  key.add((p.wide ? 1 : 0) + (p.shifts ? 2 : 0) + (p.exact ? 4 : 0) + (p.single ? 8 : 0) +
          (p.many ? 16 : 0));
  key.add(p.anchor);
  key.add(p.in_shape.size());
  key.add(p.out_shape.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand& o = operands[k];
    key.add(static_cast<int>(o.dtype));
    key.add(static_cast<int>(o.role) * 16 + static_cast<int>(p.access[k]));
    if (is_raw(o.role)) key.add(o.layout->ndim() * 2 + is_contiguous(*o.layout, Order::c));
  }
  return key;
}

DType wide_enough(DType dtype) {
  return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype;
}

void check_parameters(const Signature& signature) {
  for (const Parameter& p : signature.outputs)
    if (p.raw)
      fail(GPUARR_ERR_SYNTAX,
           "out_params has \"{}\", which is raw; a reduction's outputs cannot be", p.name);
  for (const Parameter& p : signature.outputs)
    if (p.name == "a")
      fail(
          GPUARR_ERR_SYNTAX,
          "out_params has \"a\", which is the reduced value in post; give the output another name");
  if (signature.outputs.empty())
    fail(GPUARR_ERR_SYNTAX, "out_params is empty; name at least one output");
  if (std::ranges::all_of(signature.inputs, &Parameter::raw))
    fail(GPUARR_ERR_SYNTAX,
         "in_params has no parameter that is not raw; a reduction takes its shape from one");
  for (size_t k = 0; k < signature.outputs.size(); ++k)
    if (signature.starts_as[k] >= 0)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists; give the output a name of its own",
           signature.outputs[k].name);
}

// What is wrong with the reduce type is wrong again wherever it is used.
CompileError up_to_the_type(const CompileError& error) {
  std::vector<Diagnostic> kept;
  for (const Diagnostic& d : error.diagnostics()) {
    kept.push_back(d);
    if (d.is_error && d.file == "reduce_type") break;
  }
  return {error.message(), std::move(kept), error.native()};
}

}  // namespace

Reduction::Job::Job(const Reduction& kernel, const Binding& bound, Device& on, Stage stage,
                    const Piece& piece)
    : binding(bound), device(on) {
  ReductionTraits traits = kernel.traits_;
  auto dtype = kernel.reduce_dtype(bound);
  traits.is_struct = !dtype;
  traits.partial_bytes = dtype ? size_of(*dtype) : 16;
  plan.stage = stage;
  Dims shape = bound.shape();
  if (stage == Stage::empty)
    for (int axis = 0; axis < shape.size(); ++axis) shape[axis] = std::max<int64_t>(shape[axis], 1);
  make_reduction_plan(plan, target_of(on), bound.operands(), shape, bound.axes(), traits, piece);
  if (stage == Stage::empty) plan.size = 0;
  bytes = parameter_bytes(plan, bound.operands());
  if (bytes > most_parameter_bytes)
    fail(GPUARR_ERR_UNSUPPORTED,
         "the arguments' shapes and strides take {} bytes, more than the {} that a kernel can "
         "get; use fewer arrays of many axes",
         bytes, most_parameter_bytes);
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
    : signature_(parse_signature(spec.in_params, spec.out_params)),
      text_{options.name.empty() ? "reduction" : options.name,
            options.preamble,
            options.reduce_type,
            spec.map,
            spec.reduce,
            post_or_identity(spec.post, signature_.outputs),
            spec.identity},
      compiler_options_(options.compiler),
      time_limit_(options.time_limit) {
  check_parameters(signature_);
  check_texts(spec, options, signature_.outputs.size(), "a reduction");
  text_.defines = take_defines(compiler_options_);
  traits_ = traits_of(text_);
  traits_.ordered = !options.commutative;
  for (const auto* list : {&signature_.inputs, &signature_.outputs})
    for (const Parameter& p : *list) names_.push_back({p.name});
}

Reduction::MadeOutputs Reduction::call(std::span<const Argument> inputs,
                                       std::span<const Array* const> outputs,
                                       const AxisRequest& axes, Stream* given) {
  Binding binding(signature_, inputs, outputs, axes);
  Stream& stream = binding.stream(given);
  Stage stage = checked_stage(binding);
  binding.require_apart();
  binding.make_outputs(stream);
  if (size_of(binding.out_shape()) == 0) return binding.take_made();
  Job job(*this, binding, stream.device(), stage);
  run(job, {}, stream);
  return binding.take_made();
}

void Reduction::run(const Job& job, Workspace memory, Stream& stream) {
  const auto& function = function_for(job);
  const ReductionGeometry geometry = job.geometry(*function);
  WorkspaceLease lease(geometry, most_partial_bytes, stream);
  memory.partials = lease.get().partials;
  memory.counters = lease.get().counters;
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  write_parameters(parameters.data(), job.plan, job.binding.operands(), geometry, memory, nullptr);
  job.binding.mark_used(stream);
  launch_noted(
      stream, [&] { return label(job); },
      [&] {
        function->launch({geometry.blocks, geometry.threads, 0}, parameters.data(), job.bytes,
                         stream);
      });
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
  Binding binding(signature_, inputs, outputs, axes);
  Device& device = *binding.device();
  Stage stage = checked_stage(binding);
  binding.require_apart();
  std::vector<Array> arrays;
  for (size_t k = 0; k < names_.size(); ++k)
    if (const Array* a = binding.array(static_cast<int>(k))) arrays.push_back(*a);
  if (size_of(binding.out_shape()) == 0)
    return {device, PreparedFunction{}, std::vector<std::byte>(), std::move(arrays), {}, {}};
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
  std::array<int, max_operands> offsets;
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
  Binding binding(signature_, inputs, outputs, axes);
  if (size_of(binding.out_shape()) == 0)
    fail(GPUARR_ERR_SHAPE, "there are no results, of shape {}, so nothing would be compiled",
         to_string(binding.out_shape()));
  Stage stage = checked_stage(binding);
  binding.require_apart();
  binding.make_outputs(current_stream(*binding.device()));
  Job job(*this, binding, *binding.device(), stage);
  return reduction_source(text_for(binding), job.plan, binding.operands(), names_,
                          binding.letters());
}

// The dtype of partial results, if it is one.
std::optional<DType> Reduction::reduce_dtype(const Binding& binding) const {
  const std::string& given = text_.reduce_type;
  if (given.empty()) return wide_enough(binding.operands()[input_count()].dtype);
  for (auto [letter, dtype] : binding.letters())
    if (given.size() == 1 && given[0] == letter) return dtype;
  return find_dtype(given);
}

ReductionText Reduction::text_for(const Binding& binding) const {
  ReductionText text = text_;
  if (text.reduce_type.empty()) text.reduce_type = facts_of(*reduce_dtype(binding)).cxx;
  return text;
}

const std::shared_ptr<Function>& Reduction::function_for(const Job& job) {
  Key key = key_of(job.plan, job.binding.operands(), job.device);
  if (const auto* found = table_.find(key)) return *found;
  return table_.insert(key, compile(job));
}

std::shared_ptr<Function> Reduction::compile(const Job& job) const {
  const ReductionText pieces_text = text_for(job.binding);
  try {
    Source source{text_.name,
                  reduction_source(pieces_text, job.plan, job.binding.operands(), names_,
                                   job.binding.letters()),
                  compiler_options_};
    source.time_limit = time_limit_;
    source.types = describe_types(job.binding.operands(), names_, input_count());
    return cached_module(job.device, source)->function(text_.name + "_kernel");
  } catch (const CompileError& error) {
    const std::string identity = text_.identity.value_or("");
    const UserPiece pieces[] = {{"options", &text_.defines},
                                {"preamble", &text_.preamble},
                                {"reduce_type", &pieces_text.reduce_type},
                                {"map", &text_.map},
                                {"reduce", &text_.reduce},
                                {"post", &text_.post},
                                {"identity", &identity}};
    fail_explained(up_to_the_type(error), headline(job.binding, job.device), pieces);
  }
}

// Stages have partial results to read or to write, of which the operands do not tell.
LaunchLabel Reduction::label(const Job& job) const {
  LaunchLabel label = label_of(text_.name, job.binding.operands(), names_, input_count());
  if (job.plan.stage == Stage::whole || job.plan.stage == Stage::empty) return label;
  label.read = label.written = std::nullopt;
  return label;
}

std::string Reduction::headline(const Binding& binding, const Device& device) const {
  return formatted("kernel \"{}\" ({}) does not compile on {}", text_.name,
                   describe_types(binding.operands(), names_, input_count()), device.facts().name);
}

}  // namespace gpuarr
