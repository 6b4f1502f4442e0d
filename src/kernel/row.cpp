#include "kernel/row.hpp"

#include <algorithm>
#include <array>

#include "backends.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

std::string both(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : ", ") + b;
}

}  // namespace

RowDevice row_device(const Device& device) {
  const DeviceFacts& facts = device.facts();
  // All GPUs that have clusters take eight blocks.
  return {facts.shared_bytes, facts.processors, facts.compute_capability >= 90 ? 8 : 1};
}

struct Row::Job {
  Job(const Row& kernel, const Binding& bound, Device& on) : binding(bound), device(on) {
    const char* const reason = make_row_plan(plan, target_of(on), row_device(on), bound.operands(),
                                             bound.shape(), bound.axes(), kernel.traits_);
    if (reason != nullptr)
      fail(GPUARR_ERR_UNSUPPORTED, "{} of shape {} is not one kernel on {}: {}", kernel.text_.name,
           to_string(bound.shape()), on.facts().name, reason);
    bytes = checked_parameter_bytes(parameter_bytes(plan));
  }

  /// As many blocks of staged rows, or clusters, as there is room for.
  int64_t resident(Function& function) const {
    const int threads = block_threads(plan.variant);
    if (plan.variant.form != RowForm::staged) return 1;
    if (plan.variant.blocks > 1)
      return function.resident_clusters(plan.variant.blocks, threads,
                                        static_cast<int>(plan.slot_bytes));
    const int64_t rooms = device.facts().shared_bytes / (plan.slot_bytes + 1024);
    return device.facts().processors * std::min<int64_t>(rooms, function.resident_blocks(threads));
  }

  RowGeometry geometry(Function& function) const {
    const RowGeometry g = geometry_of(plan, resident(function));
    if (g.blocks > device.facts().most_blocks)
      fail(GPUARR_ERR_SHAPE, "rows of shape {} take {} blocks, more than {} can start",
           to_string(binding.shape()), g.blocks, device.facts().name);
    return g;
  }

  const Binding& binding;
  Device& device;
  RowPlan plan;
  size_t bytes = 0;
};

Row::Row(const RowSpec& spec, const KernelOptions& options)
    : generated_(spec.in_params, both(spec.along_params, spec.row_params), options, "row"),
      text_{generated_.name, options.preamble, spec.kept,         spec.passes,
            spec.body,       spec.finish,      generated_.defines},
      traits_(traits_of(text_, generated_.names)) {
  for (const Parameter& p : generated_.signature.inputs)
    if (p.raw)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is raw; a row kernel's parameters cannot be", p.name);
  const Signature along = parse_signature(spec.in_params, spec.along_params);
  traits_.outputs_along = static_cast<int>(along.outputs.size());
}

void Row::check_length(const Binding& binding) const {
  if (binding.empty() && size_of(binding.out_shape()) > 0)
    fail(GPUARR_ERR_EMPTY, "the rows of {}, of shape {}, have no elements", text_.name,
         to_string(binding.shape()));
}

MadeOutputs Row::call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                      const AxisRequest& axes, Stream* given, std::optional<Repeat>* repeat) {
  Binding binding(generated_.signature, inputs, outputs, axes, traits_.outputs_along);
  Stream& stream = binding.stream(given);
  check_length(binding);
  binding.make_outputs(stream);
  if (!binding.empty()) {
    const bool copied = binding.separate(stream);
    launch(binding, stream, copied ? nullptr : repeat);
  }
  return binding.take_made();
}

void Row::launch(const Binding& binding, Stream& stream, std::optional<Repeat>* repeat) {
  const Job job(*this, binding, stream.device());
  const auto& function = function_for(job);
  const RowGeometry geometry = job.geometry(*function);
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  FieldOffsets offsets;
  write_parameters(parameters.data(), job.plan, binding.operands(), geometry,
                   repeat != nullptr ? &offsets : nullptr);
  const LaunchShape shape{geometry.blocks, geometry.threads, geometry.shared_bytes};
  if (repeat != nullptr)
    repeat->emplace(function, shape, std::span(parameters.data(), job.bytes), binding.operands(),
                    offsets);
  binding.mark_used(stream);
  launch_noted(
      stream, [&] { return generated_.label(binding); },
      [&] { function->launch(shape, parameters.data(), job.bytes, stream); });
}

PreparedCall Row::prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                          const AxisRequest& axes) {
  Binding binding(generated_.signature, inputs, outputs, axes, traits_.outputs_along);
  Device& device = *binding.device();
  check_length(binding);
  if (binding.empty()) return {device, PreparedFunction{}, {}, binding.arrays(), {}, {}};
  binding.separate(current_stream(device), false);
  const Job job(*this, binding, device);
  const auto& function = function_for(job);
  const RowGeometry geometry = job.geometry(*function);
  std::vector<std::byte> parameters(job.bytes);
  FieldOffsets offsets;
  write_parameters(parameters.data(), job.plan, binding.operands(), geometry, &offsets);
  return {device,
          PreparedFunction{function, {geometry.blocks, geometry.threads, geometry.shared_bytes}},
          std::move(parameters),
          binding.arrays(),
          scalar_slots(binding.operands(), offsets),
          generated_.label(binding)};
}

std::string Row::source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                        const AxisRequest& axes) {
  Binding binding(generated_.signature, inputs, outputs, axes, traits_.outputs_along);
  if (binding.empty())
    fail(GPUARR_ERR_SHAPE, "the loop has shape {} and no elements, so nothing would be compiled",
         to_string(binding.shape()));
  binding.make_outputs(current_stream(*binding.device()));
  const Job job(*this, binding, *binding.device());
  return row_source(text_, target_of(job.device), job.plan.variant, generated_.names,
                    generated_.letters);
}

const std::shared_ptr<Function>& Row::function_for(const Job& job) {
  return find_or_make(generated_.table, Key(job.device.index(), job.plan.variant), [&] {
    const UserPiece pieces[] = {{"options", text_.defines},
                                {"preamble", text_.preamble},
                                {"body", text_.body},
                                {"finish", text_.finish}};
    return generated_.compile(job.binding, job.device,
                              row_source(text_, target_of(job.device), job.plan.variant,
                                         generated_.names, generated_.letters),
                              text_.name + "_kernel", pieces);
  });
}

}  // namespace gpuarr
