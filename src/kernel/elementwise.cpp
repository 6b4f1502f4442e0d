#include "kernel/elementwise.hpp"

#include <array>

#include "backends.hpp"
#include "core/error.hpp"
#include "kernel/cache.hpp"
#include "kernel/diagnose.hpp"

namespace gpuarr {
namespace {

// Everything that the text depends on, beside what is the same for all calls of one kernel.
Key key_of(const Plan& p, std::span<const Operand> operands, const Device& device) {
  Key key;
  key.add(device.index());
  key.add(static_cast<int>(p.form));
  key.add(p.nest.ndim);
  key.add(p.pack);
  key.add((p.wide ? 1 : 0) + (p.shifts ? 2 : 0));
  key.add(p.shifts ? p.anchor : -1);
  key.add(p.form == Form::tiled ? p.tile_axis : -1);
  key.add(p.tile);
  key.add(p.uses_ind ? p.loop_shape.size() : 0);
  for (int k = 0; k < p.operands; ++k) {
    const Operand& o = operands[static_cast<size_t>(k)];
    key.add(static_cast<int>(o.dtype));
    key.add(static_cast<int>(o.role) * 16 + static_cast<int>(p.how(k)));
    if (is_raw(o.role)) key.add(o.layout->ndim() * 2 + is_contiguous(*o.layout, Order::c));
  }
  return key;
}

LaunchShape launch_shape(const Geometry& g) { return {g.blocks, g.threads, 0}; }

size_t checked_bytes(const Plan& plan, std::span<const Operand> operands) {
  size_t bytes = parameter_bytes(plan, operands);
  if (bytes > most_parameter_bytes)
    fail(GPUARR_ERR_UNSUPPORTED,
         "the arguments' shapes and strides take {} bytes, more than the {} that a kernel can get; "
         "use fewer arrays of many axes",
         bytes, most_parameter_bytes);
  return bytes;
}

}  // namespace

Elementwise::Elementwise(const std::string& in_params, const std::string& out_params,
                         const std::string& body, const KernelOptions& options)
    : signature_(parse_signature(in_params, out_params)),
      text_{options.name.empty() ? "elementwise" : options.name, options.preamble,
            options.loop_prep, body, options.after_loop},
      compiler_options_(options.compiler),
      contract_(options.contract),
      time_limit_(options.time_limit) {
  text_.defines = take_defines(compiler_options_);
  traits_ = traits_of(text_);
  for (const Parameter& p : signature_.inputs) names_.push_back({p.name});
  for (size_t k = 0; k < signature_.outputs.size(); ++k) {
    int twin = signature_.starts_as[k];
    names_.push_back({signature_.outputs[k].name, twin});
    if (twin >= 0) names_[static_cast<size_t>(twin)].hidden = true;
  }
}

Elementwise::MadeOutputs Elementwise::call(std::span<const Argument> inputs,
                                           std::span<const Array* const> outputs, int64_t size,
                                           Stream* given) {
  Binding binding(signature_, inputs, outputs, size);
  Stream& stream = binding.stream(given);
  binding.make_outputs(stream);
  if (!binding.empty()) {
    binding.separate(stream);
    launch(binding, stream);
  }
  return binding.take_made();
}

void Elementwise::launch(const Binding& binding, Stream& stream) {
  Plan plan;
  make_plan(plan, target_of(stream.device()), binding.operands(), binding.shape(), traits_);
  const auto& function = function_for(plan, binding, stream.device());
  size_t bytes = checked_bytes(plan, binding.operands());
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  Geometry geometry = geometry_of(plan, traits_);
  write_parameters(parameters.data(), plan, binding.operands(), geometry, nullptr);
  binding.mark_used(stream);
  launch_noted(
      stream, [&] { return label(binding); },
      [&] { function->launch(launch_shape(geometry), parameters.data(), bytes, stream); });
}

PreparedCall Elementwise::prepare(std::span<const Argument> inputs,
                                  std::span<const Array* const> outputs, int64_t size,
                                  Device& fallback) {
  Binding binding(signature_, inputs, outputs, size);
  Device& device = binding.device() != nullptr ? *binding.device() : fallback;
  std::vector<Array> arrays;
  for (size_t k = 0; k < names_.size(); ++k)
    if (const Array* a = binding.array(static_cast<int>(k))) arrays.push_back(*a);
  if (binding.empty())
    return {device, PreparedFunction{}, std::vector<std::byte>(), std::move(arrays), {}, {}};
  binding.separate(current_stream(device), false);
  Plan plan;
  make_plan(plan, target_of(device), binding.operands(), binding.shape(), traits_);
  std::vector<std::byte> parameters(checked_bytes(plan, binding.operands()));
  std::array<int, max_operands> offsets;
  Geometry geometry = geometry_of(plan, traits_);
  write_parameters(parameters.data(), plan, binding.operands(), geometry, &offsets);
  return {device,
          PreparedFunction{function_for(plan, binding, device), launch_shape(geometry)},
          std::move(parameters),
          std::move(arrays),
          scalar_slots(binding.operands(), offsets),
          label(binding)};
}

std::string Elementwise::source(std::span<const Argument> inputs,
                                std::span<const Array* const> outputs, int64_t size,
                                Device& fallback) {
  Binding binding(signature_, inputs, outputs, size);
  Device& device = binding.device() != nullptr ? *binding.device() : fallback;
  if (binding.empty())
    fail(GPUARR_ERR_SHAPE, "the loop has shape {} and no elements, so nothing would be compiled",
         to_string(binding.shape()));
  binding.make_outputs(current_stream(device));
  Plan plan;
  make_plan(plan, target_of(device), binding.operands(), binding.shape(), traits_);
  return generate(plan, binding);
}

std::string Elementwise::generate(const Plan& plan, const Binding& binding) const {
  return elementwise_source(text_, plan, binding.operands(), names_, binding.letters());
}

const std::shared_ptr<Function>& Elementwise::function_for(const Plan& plan, const Binding& binding,
                                                           Device& device) {
  Key key = key_of(plan, binding.operands(), device);
  if (const auto* found = table_.find(key)) return *found;
  return table_.insert(key, compile(plan, binding, device));
}

std::shared_ptr<Function> Elementwise::compile(const Plan& plan, const Binding& binding,
                                               Device& device) const {
  try {
    Source source{text_.name, generate(plan, binding), compiler_options_};
    source.time_limit = time_limit_;
    if (!contract_) source.options.emplace_back(plan.target->no_contraction);
    source.types = describe_types(binding.operands(), names_, input_count());
    return cached_module(device, source)->function(text_.name + "_kernel");
  } catch (const CompileError& error) {
    const UserPiece pieces[] = {{"options", &text_.defines},
                                {"preamble", &text_.preamble},
                                {"loop_prep", &text_.loop_prep},
                                {"body", &text_.body},
                                {"after_loop", &text_.after_loop}};
    fail_explained(error, headline(binding, device), pieces);
  }
}

LaunchLabel Elementwise::label(const Binding& binding) const {
  return label_of(text_.name, binding.operands(), names_, input_count());
}

std::string Elementwise::headline(const Binding& binding, const Device& device) const {
  return formatted("kernel \"{}\" ({}) does not compile on {}", text_.name,
                   describe_types(binding.operands(), names_, input_count()), device.facts().name);
}

}  // namespace gpuarr
