#include "kernel/elementwise.hpp"

#include <array>

#include "backends.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

LaunchShape launch_shape(const Geometry& g) { return {g.blocks, g.threads, 0}; }

}  // namespace

Elementwise::Elementwise(const std::string& in_params, const std::string& out_params,
                         const UserText& body, const KernelOptions& options)
    : generated_(in_params, out_params, options, "elementwise"),
      text_{generated_.name,    options.preamble,  options.loop_prep, body,
            options.after_loop, generated_.defines},
      traits_(traits_of(text_)) {
  const auto& starts_as = generated_.signature.starts_as;
  for (size_t k = 0; k < starts_as.size(); ++k) {
    if (starts_as[k] < 0) continue;
    generated_.names[input_count() + k].starts_as = starts_as[k];
    generated_.names[as_index(starts_as[k])].hidden = true;
  }
}

MadeOutputs Elementwise::call(std::span<const Argument> inputs,
                              std::span<const Array* const> outputs, int64_t size, Stream* given,
                              std::optional<Repeat>* repeat) {
  Binding binding(generated_.signature, inputs, outputs, size);
  Stream& stream = binding.stream(given);
  binding.make_outputs(stream);
  if (!binding.empty()) {
    const bool copied = binding.separate(stream);
    launch(binding, stream, copied ? nullptr : repeat);
  }
  return binding.take_made();
}

void Elementwise::launch(const Binding& binding, Stream& stream, std::optional<Repeat>* repeat) {
  Plan plan;
  make_plan(plan, target_of(stream.device()), binding.operands(), binding.shape(), traits_);
  const auto& function = function_for(plan, binding, stream.device());
  const size_t bytes = checked_parameter_bytes(parameter_bytes(plan));
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  const Geometry geometry = geometry_of(plan, traits_);
  FieldOffsets offsets;
  write_parameters(parameters.data(), plan, binding.operands(), geometry,
                   repeat != nullptr ? &offsets : nullptr);
  if (repeat != nullptr)
    repeat->emplace(function, launch_shape(geometry), std::span(parameters.data(), bytes),
                    binding.operands(), offsets);
  binding.mark_used(stream);
  launch_noted(
      stream, [&] { return generated_.label(binding); },
      [&] { function->launch(launch_shape(geometry), parameters.data(), bytes, stream); });
}

PreparedCall Elementwise::prepare(std::span<const Argument> inputs,
                                  std::span<const Array* const> outputs, int64_t size,
                                  Device& fallback) {
  Binding binding(generated_.signature, inputs, outputs, size);
  Device& device = binding.device() != nullptr ? *binding.device() : fallback;
  if (binding.empty()) return {device, PreparedFunction{}, {}, binding.arrays(), {}, {}};
  binding.separate(current_stream(device), false);
  Plan plan;
  make_plan(plan, target_of(device), binding.operands(), binding.shape(), traits_);
  std::vector<std::byte> parameters(checked_parameter_bytes(parameter_bytes(plan)));
  FieldOffsets offsets;
  const Geometry geometry = geometry_of(plan, traits_);
  write_parameters(parameters.data(), plan, binding.operands(), geometry, &offsets);
  return {device,
          PreparedFunction{function_for(plan, binding, device), launch_shape(geometry)},
          std::move(parameters),
          binding.arrays(),
          scalar_slots(binding.operands(), offsets),
          generated_.label(binding)};
}

std::string Elementwise::source(std::span<const Argument> inputs,
                                std::span<const Array* const> outputs, int64_t size,
                                Device& fallback) {
  Binding binding(generated_.signature, inputs, outputs, size);
  Device& device = binding.device() != nullptr ? *binding.device() : fallback;
  if (binding.empty())
    fail(GPUARR_ERR_SHAPE, "the loop has shape {} and no elements, so nothing would be compiled",
         to_string(binding.shape()));
  binding.make_outputs(current_stream(device));
  Plan plan;
  make_plan(plan, target_of(device), binding.operands(), binding.shape(), traits_);
  return generate(plan, target_of(device));
}

CallFacts Elementwise::facts_of(std::span<const Argument> inputs) const {
  const std::vector<const Array*> none(output_count());
  return generated_.facts_of(Binding(generated_.signature, inputs, none, no_size));
}

std::string Elementwise::generate(const Plan& plan, const Target& target) const {
  return elementwise_source(text_, target, plan.variant, generated_.names, generated_.letters);
}

const std::shared_ptr<Function>& Elementwise::function_for(const Plan& plan, const Binding& binding,
                                                           Device& device) {
  return find_or_make(generated_.table, Key(device.index(), plan.variant), [&] {
    const UserPiece pieces[] = {{"options", text_.defines},
                                {"preamble", text_.preamble},
                                {"loop_prep", text_.loop_prep},
                                {"body", text_.body},
                                {"after_loop", text_.after_loop}};
    return generated_.compile(binding, device, generate(plan, target_of(device)),
                              text_.name + "_kernel", pieces);
  });
}

}  // namespace gpuarr
