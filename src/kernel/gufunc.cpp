#include "kernel/gufunc.hpp"

#include <algorithm>
#include <array>

#include "backends.hpp"
#include "codegen/gufunc/staging.hpp"
#include "core/error.hpp"
#include "gpuarr/gufunc.h"
#include "kernel/raw/raw.hpp"
#include "kernel/text/core_signature.hpp"

namespace gpuarr {
namespace {

constexpr int64_t most_in_a_grid = 2147483647;  // of a grid, on every device

// Options that have no meaning here would be left out in silence.
void check_gufunc_options(const KernelOptions& options) {
  const char* wrong = !options.loop_prep.empty()     ? "loop_prep"
                      : !options.after_loop.empty()  ? "after_loop"
                      : !options.reduce_type.empty() ? "reduce_type"
                      : !options.commutative         ? "commutative"
                      : !options.instances.empty()   ? "kernels of a module"
                                                     : nullptr;
  if (wrong != nullptr)
    fail(GPUARR_ERR_ARGUMENT, "options has {}, which a gufunc cannot use; leave it out", wrong);
}

KernelOptions with_environment(KernelOptions options) {
  options.checks |= checks_of_environment();
  return options;
}

}  // namespace

// One call: its arguments, and how it is laid out.
struct Gufunc::Job {
  CoreAxes axes;
  Binding binding;
  GufuncPlan plan;
  GufuncGeometry geometry;

  Job(const Gufunc& gufunc, std::span<const Argument> inputs, std::span<const Array* const> outputs)
      : binding(gufunc.generated_.signature, inputs, outputs, gufunc.text_.cores, axes) {}
  bool is_raw() const { return plan.variant.group != Group::thread; }
};

Gufunc::Gufunc(const GufuncSpec& spec, const KernelOptions& options)
    : generated_(spec.in_params, spec.out_params, with_environment(options), "gufunc"),
      text_{generated_.name, parse_cores(spec.signature), options.preamble, spec.body,
            generated_.defines} {
  check_gufunc_options(options);
  check_cores(text_.cores, generated_.signature);
  touched_ = touched_by(text_, generated_.names);
  text_.cores.order = spec.order;
  switch (spec.group) {
    case GPUARR_GROUP_AUTO:
      chooses_ = names_group(text_);
      break;
    case GPUARR_GROUP_THREAD:
      break;
    case GPUARR_GROUP_WARP:
      group_ = Group::warp;
      break;
    default:
      if (spec.group != GPUARR_GROUP_BLOCK &&
          (spec.group < 64 || spec.group > 1024 || spec.group % 32 != 0))
        fail(GPUARR_ERR_ARGUMENT,
             "group is {}; give GPUARR_GROUP_AUTO, _THREAD, _WARP or _BLOCK, or the threads of a "
             "block, a multiple of 32 from 64 to 1024",
             spec.group);
      group_ = Group::block;
      threads_ = std::max(spec.group, 0);
  }
}

// A device without SIMT has nothing to gain from a group that nobody asked for.
Group Gufunc::group_of(const Job& job, const Device& device) const {
  if (!chooses_) return group_;
  return target_of(device).simt ? group_for(job.plan.largest) : Group::thread;
}

void Gufunc::lay_out(Job& job, Device& device) const {
  GufuncPlan& plan = job.plan;
  for (size_t k = 0; k < text_.cores.cores.size(); ++k)
    plan.largest = std::max(plan.largest, job.axes.elements(text_.cores, static_cast<int>(k)));
  plan.variant.group = group_of(job, device);
  make_plan(plan, target_of(device), job.binding.operands(), job.binding.shape(), text_.cores,
            job.axes, touched_);
  job.geometry = geometry_of(plan, threads_);
  if (job.geometry.blocks > most_in_a_grid && (job.is_raw() || plan.variant.simt))
    fail(GPUARR_ERR_SHAPE, "the loop's shape {} takes {} blocks, more than a grid's {}; split it",
         to_string(job.binding.shape()), job.geometry.blocks, most_in_a_grid);
}

size_t Gufunc::write(const Job& job, std::span<std::byte> to, FieldOffsets* offsets) const {
  const size_t size = checked_parameter_bytes(parameter_bytes(job.plan, text_.cores, job.axes));
  write_parameters(to.data(), job.plan, text_.cores, job.axes, job.binding.operands(), job.geometry,
                   offsets);
  return size;
}

MadeOutputs Gufunc::call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                         Stream* given) {
  Job job(*this, inputs, outputs);
  Stream& stream = job.binding.stream(given);
  job.binding.make_outputs(stream);
  if (!job.binding.empty()) {
    Device& device = stream.device();
    lay_out(job, device);
    job.binding.allow_in_place(!job.is_raw());
    if (job.binding.separate(stream)) lay_out(job, device);
    launch(job, stream);
  }
  return job.binding.take_made();
}

void Gufunc::launch(const Job& job, Stream& stream) {
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> bytes;
  const size_t size = write(job, bytes, nullptr);
  const auto launch_as = [&](const auto& launch) {
    job.binding.mark_used(stream);
    launch_noted(
        stream, [&] { return label(job); }, launch);
  };
  if (!job.is_raw()) {
    const PreparedFunction own = function_for(job, stream.device());
    return launch_as([&] { own.function->launch(own.shape, bytes.data(), size, stream); });
  }
  const PreparedRaw raw = raw_for(job, stream.device());
  RawLaunch shape = raw.launch;
  shape.arrays = raw.spans;
  launch_as([&] { raw.function->launch(shape, bytes.data(), size, stream); });
}

PreparedCall Gufunc::prepare(std::span<const Argument> inputs,
                             std::span<const Array* const> outputs, Device& fallback) {
  Job job(*this, inputs, outputs);
  Device& device = job.binding.device() != nullptr ? *job.binding.device() : fallback;
  if (job.binding.empty()) return {device, PreparedFunction{}, {}, job.binding.arrays(), {}, {}};
  lay_out(job, device);
  job.binding.allow_in_place(!job.is_raw());
  job.binding.separate(current_stream(device), false);
  FieldOffsets offsets;
  std::vector<std::byte> bytes(most_parameter_bytes + 4);
  bytes.resize(write(job, bytes, &offsets));
  std::variant<PreparedFunction, PreparedRaw> target;
  if (job.is_raw())
    target = raw_for(job, device);
  else
    target = function_for(job, device);
  return {device,
          std::move(target),
          std::move(bytes),
          job.binding.arrays(),
          scalar_slots(job.binding.operands(), offsets),
          label(job)};
}

std::string Gufunc::source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                           Device& fallback) {
  Job job(*this, inputs, outputs);
  Device& device = job.binding.device() != nullptr ? *job.binding.device() : fallback;
  if (job.binding.empty())
    fail(GPUARR_ERR_SHAPE, "the loop has shape {} and no places, so nothing would be compiled",
         to_string(job.binding.shape()));
  job.binding.make_outputs(current_stream(device));
  lay_out(job, device);
  return generate(job.plan, target_of(device));
}

std::string Gufunc::generate(const GufuncPlan& plan, const Target& target) const {
  if (plan.variant.group == Group::thread)
    return gufunc_source(text_, target, plan.variant, generated_.names, generated_.letters);
  return gufunc_group_source(text_, plan.variant, generated_.names, generated_.letters, threads_);
}

std::array<UserPiece, 3> Gufunc::pieces() const {
  return {{{"options", text_.defines}, {"preamble", text_.preamble}, {"body", text_.body}}};
}

PreparedFunction Gufunc::function_for(const Job& job, Device& device) {
  const GufuncVariant& variant = job.plan.variant;
  return {find_or_make(generated_.table, Key(device.index(), variant),
                       [&] {
                         return generated_.compile(job.binding, device,
                                                   generate(job.plan, target_of(device)),
                                                   text_.name + "_kernel", pieces());
                       }),
          {job.geometry.blocks, job.geometry.threads, 0}};
}

PreparedRaw Gufunc::raw_for(const Job& job, Device& device) {
  PreparedRaw raw;
  raw.function = find_or_make(raw_table_, Key(device.index(), job.plan.variant), [&] {
    return generated_.compile_raw(job.binding, device, generate(job.plan, target_of(device)),
                                  text_.name + "_kernel", pieces());
  });
  raw.launch.grid.x = static_cast<uint32_t>(job.geometry.blocks);
  raw.launch.block.x = static_cast<uint32_t>(job.geometry.threads);
  raw.launch.checks = generated_.checks;
  if (raw.launch.checks == 0) return raw;
  const std::vector<Array> arrays = job.binding.arrays();
  size_t next = 0;
  for (size_t k = 0; k < job.binding.operands().size(); ++k) {
    if (job.binding.operands()[k].role == Role::scalar) continue;
    raw.spans.push_back(span_of(static_cast<int>(k), arrays[next++]));
    raw.spans.back().name = generated_.names[k].name;
  }
  return raw;
}

LaunchLabel Gufunc::label(const Job& job) const {
  LaunchLabel label{generated_.name, generated_.types(job.binding), 0, 0};
  for (size_t k = 0; k < job.binding.operands().size(); ++k) {
    const Operand& operand = job.binding.operands()[k];
    if (!in_loop(operand.role)) continue;
    Layout core{{}, job.axes.operands[k].strides};
    for (const int dim : text_.cores.cores[k]) core.shape.push_back(job.axes.sizes[as_index(dim)]);
    auto& bytes = operand.role == Role::input ? label.read : label.written;
    *bytes += distinct_elements(*operand.layout) * distinct_elements(core) * size_of(operand.dtype);
  }
  return label;
}

}  // namespace gpuarr
