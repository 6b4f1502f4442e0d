#include "kernel/scan.hpp"

#include <array>

#include "backends.hpp"
#include "codegen/scan/parameters.hpp"
#include "core/error.hpp"
#include "kernel/copy.hpp"

namespace gpuarr {
namespace {

constexpr int most_scanned_bytes = 64;

void check_scan_parameters(const Signature& signature) {
  for (const auto* list : {&signature.inputs, &signature.outputs})
    for (const Parameter& p : *list)
      if (p.raw) fail(GPUARR_ERR_SYNTAX, "\"{}\" is raw; a scan's parameters cannot be", p.name);
  if (signature.inputs.empty())
    fail(GPUARR_ERR_SYNTAX, "in_params is empty; name at least one input");
}

}  // namespace

struct Scan::Job {
  Job(const Scan& kernel, const Binding& bound, Device& on, const ScanRequest& request)
      : binding(bound), device(on) {
    const auto dtype = reduce_dtype(kernel.text_, kernel.generated_, bound);
    plan_it(dtype ? size_of(*dtype) : 16, dtype ? size_of(*dtype) : most_scanned_bytes, request);
  }

  void plan_it(int type_bytes, int state_bytes, const ScanRequest& request) {
    make_scan_plan(plan, target_of(device), binding.operands(), binding.shape(), request.axis,
                   {request.exclusive, type_bytes, device.facts().shared_bytes});
    geometry = cut_scan(plan, state_bytes, {device.facts().processors, device.facts().l2_bytes});
    bytes = checked_parameter_bytes(scan_parameter_bytes(plan));
    if (geometry.tasks > device.facts().most_blocks)
      fail(GPUARR_ERR_SHAPE, "a scan of shape {} takes {} blocks, more than {} can start",
           to_string(binding.shape()), geometry.tasks, device.facts().name);
  }

  /// Tiles that wait for each other, and not passes one after the other.
  bool chained() const {
    return plan.variant.chunked && plan.variant.simt && plan.variant.form == ScanForm::rows;
  }

  const Binding& binding;
  Device& device;
  ScanPlan plan;
  ScanGeometry geometry;
  size_t bytes = 0;
};

Array scratch(int64_t bytes, bool clear, Stream& stream) {
  if (!stream.captures() && stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured with the driver's own functions, but the call needs memory that "
         "such a graph cannot keep; capture with gpuarr_stream_begin_capture");
  const int64_t words = (bytes + 7) / 8;
  Array memory = Array::empty(stream, DType::u64, Dims{words});
  if (clear) stream.device().run(loop_over(Builtin::Kind::fill, memory), stream);
  return memory;
}

Scan::Scan(const MapReduceSpec& spec, const KernelOptions& options)
    : generated_(spec.in_params, spec.out_params, options, "scan"),
      text_(checked_texts(spec, options, generated_, {"a scan", "scanned"})) {
  check_scan_parameters(generated_.signature);
}

MadeOutputs Scan::call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       const ScanRequest& request, Stream* given) {
  Binding binding(generated_.signature, inputs, outputs, no_size);
  Stream& stream = binding.stream(given);
  const ScanRequest checked{checked_axis(request.axis, binding.shape().size()), request.exclusive};
  if (request.exclusive && !text_.identity)
    fail(GPUARR_ERR_ARGUMENT,
         "exclusive is 1, but \"{}\" has no identity for its first results; make it with one",
         text_.name);
  binding.make_outputs(stream);
  if (!binding.empty()) {
    binding.separate(stream);
    run(Job(*this, binding, stream.device(), checked), stream);
  }
  return binding.take_made();
}

void Scan::run(const Job& job, Stream& stream) {
  const ScanPlan& plan = job.plan;
  const ScanGeometry& g = job.geometry;
  std::optional<Array> states;
  if (plan.variant.chunked) states = scratch(g.states, job.chained(), stream);
  alignas(16) std::array<std::byte, most_parameter_bytes + 4> parameters;
  write_scan_parameters(parameters.data(), plan, job.binding.operands(), g,
                        states ? states->data : nullptr);
  job.binding.mark_used(stream);
  auto launch = [&](ScanStage stage, int64_t blocks) {
    const auto& function = function_for(job, stage);
    launch_noted(
        stream, [&] { return label(job, stage); },
        [&] {
          function->launch({blocks, 256, 0}, parameters.data(), job.bytes, stream);
        });
  };
  const int64_t blocks = (g.tasks + g.group - 1) / g.group;
  if (plan.variant.chunked && !job.chained()) {
    launch(ScanStage::totals, blocks);
    launch(ScanStage::prefix, g.prefix_tasks);
  }
  launch(ScanStage::scan, blocks);
}

std::string Scan::source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                         const ScanRequest& request) {
  Binding binding(generated_.signature, inputs, outputs, no_size);
  const int axis = checked_axis(request.axis, binding.shape().size());
  if (binding.empty())
    fail(GPUARR_ERR_SHAPE, "the arrays have shape {} and no elements, so nothing would be compiled",
         to_string(binding.shape()));
  binding.make_outputs(current_stream(*binding.device()));
  const Job job(*this, binding, *binding.device(), {axis, request.exclusive && text_.identity});
  return generate(typed(text_, generated_, binding), job);
}

std::string Scan::generate(const ReductionText& typed, const Job& job) const {
  return scan_source(typed, target_of(job.device), job.plan.variant, generated_.names,
                     generated_.letters);
}

const std::shared_ptr<Function>& Scan::function_for(const Job& job, ScanStage stage) {
  Key key(job.device.index(), job.plan.variant);
  key.add(key_bytes(stage));
  return find_or_make(generated_.table, key, [&] {
    const ReductionText text = typed(text_, generated_, job.binding);
    return compile(text, generated_, job.binding, job.device, generate(text, job), suffix(stage));
  });
}

// What the passes before the last one move is not what the label counts.
LaunchLabel Scan::label(const Job& job, ScanStage stage) const {
  LaunchLabel label = generated_.label(job.binding);
  if (stage != ScanStage::scan) label.read = label.written = std::nullopt;
  return label;
}

}  // namespace gpuarr
