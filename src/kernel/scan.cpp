#include "kernel/scan.hpp"

#include <algorithm>
#include <array>

#include "backends.hpp"
#include "codegen/scan/parameters.hpp"
#include "core/error.hpp"
#include "kernel/cache.hpp"
#include "kernel/diagnose.hpp"

namespace gpuarr {
namespace {

constexpr int most_scanned_bytes = 64;

// Everything that the text depends on, beside what is the same for all calls of one kernel.
Key key_of(const ScanPlan& p, std::span<const Operand> operands, ScanStage stage,
           const Device& device) {
  Key key;
  key.add(device.index());
  key.add(static_cast<int>(p.form) * 4 + static_cast<int>(stage));
  key.add((p.exclusive ? 1 : 0) + (p.chunked ? 2 : 0) + (p.wide ? 4 : 0) + (p.staged ? 8 : 0));
  key.add(p.nest.ndim);
  key.add(p.pack);
  key.add(p.packs);
  key.add(p.lanes - 1);
  for (size_t k = 0; k < operands.size(); ++k) {
    key.add(static_cast<int>(operands[k].dtype));
    key.add(static_cast<int>(operands[k].role) * 2 + (p.unit[k] ? 1 : 0));
  }
  return key;
}

void check_scan_parameters(const Signature& signature) {
  for (const auto* list : {&signature.inputs, &signature.outputs})
    for (const Parameter& p : *list)
      if (p.raw) fail(GPUARR_ERR_SYNTAX, "\"{}\" is raw; a scan's parameters cannot be", p.name);
  if (signature.outputs.empty())
    fail(GPUARR_ERR_SYNTAX, "out_params is empty; name at least one output");
  if (signature.inputs.empty())
    fail(GPUARR_ERR_SYNTAX, "in_params is empty; name at least one input");
  for (size_t k = 0; k < signature.outputs.size(); ++k) {
    const std::string& name = signature.outputs[k].name;
    if (name == "a")
      fail(
          GPUARR_ERR_SYNTAX,
          "out_params has \"a\", which is the scanned value in post; give the output another name");
    if (signature.starts_as[k] >= 0)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists; give the output a name of its own", name);
  }
}

}  // namespace

struct Scan::Job {
  Job(const Scan& kernel, const Binding& bound, Device& on, const ScanRequest& request)
      : binding(bound), device(on) {
    const auto dtype = kernel.type_of(bound);
    plan_it(dtype ? size_of(*dtype) : 16, dtype ? size_of(*dtype) : most_scanned_bytes, request);
  }

  void plan_it(int type_bytes, int state_bytes, const ScanRequest& request) {
    make_scan_plan(plan, target_of(device), binding.operands(), binding.shape(), request.axis,
                   {request.exclusive, type_bytes, device.facts().shared_bytes});
    geometry = cut_scan(plan, state_bytes, {device.facts().processors, device.facts().l2_bytes});
    bytes = scan_parameter_bytes(plan, binding.operands());
    if (bytes > most_parameter_bytes)
      fail(GPUARR_ERR_UNSUPPORTED,
           "the arguments' shapes and strides take {} bytes, more than the {} that a kernel can "
           "get; use fewer arrays of many axes",
           bytes, most_parameter_bytes);
    if (geometry.tasks > device.facts().most_blocks)
      fail(GPUARR_ERR_SHAPE, "a scan of shape {} takes {} blocks, more than {} can start",
           to_string(binding.shape()), geometry.tasks, device.facts().name);
  }

  /// Tiles that wait for each other, and not passes one after the other.
  bool chained() const { return plan.chunked && plan.target->simt && plan.form == ScanForm::rows; }

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
  if (clear) stream.device().clear(memory.data, 8 * words, stream);
  return memory;
}

Scan::Scan(const MapReduceSpec& spec, const KernelOptions& options)
    : signature_(parse_signature(spec.in_params, spec.out_params)),
      text_{options.name.empty() ? "scan" : options.name,
            options.preamble,
            options.reduce_type,
            spec.map,
            spec.reduce,
            post_or_identity(spec.post, signature_.outputs),
            spec.identity},
      compiler_options_(options.compiler),
      time_limit_(options.time_limit) {
  check_scan_parameters(signature_);
  check_texts(spec, options, signature_.outputs.size(), "a scan");
  text_.defines = take_defines(compiler_options_);
  for (const auto* list : {&signature_.inputs, &signature_.outputs})
    for (const Parameter& p : *list) names_.push_back({p.name});
}

Scan::MadeOutputs Scan::call(std::span<const Argument> inputs,
                             std::span<const Array* const> outputs, const ScanRequest& request,
                             Stream* given) {
  Binding binding(signature_, inputs, outputs, no_size);
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
  if (plan.chunked) states = scratch(g.states, job.chained(), stream);
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
  if (plan.chunked && !job.chained()) {
    launch(ScanStage::totals, blocks);
    launch(ScanStage::prefix, g.prefix_tasks);
  }
  launch(ScanStage::scan, blocks);
}

std::string Scan::source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                         const ScanRequest& request) {
  Binding binding(signature_, inputs, outputs, no_size);
  const int axis = checked_axis(request.axis, binding.shape().size());
  if (binding.empty())
    fail(GPUARR_ERR_SHAPE, "the arrays have shape {} and no elements, so nothing would be compiled",
         to_string(binding.shape()));
  binding.make_outputs(current_stream(*binding.device()));
  const Job job(*this, binding, *binding.device(), {axis, request.exclusive && text_.identity});
  return scan_source(text_for(binding), job.plan, binding.operands(), names_, binding.letters());
}

std::optional<DType> Scan::type_of(const Binding& binding) const {
  const std::string& given = text_.reduce_type;
  if (given.empty()) {
    const DType out = binding.operands()[input_count()].dtype;
    return out == DType::f16 || out == DType::bf16 ? DType::f32 : out;
  }
  for (auto [letter, dtype] : binding.letters())
    if (given.size() == 1 && given[0] == letter) return dtype;
  return find_dtype(given);
}

ReductionText Scan::text_for(const Binding& binding) const {
  ReductionText text = text_;
  if (text.reduce_type.empty()) text.reduce_type = facts_of(*type_of(binding)).cxx;
  return text;
}

const std::shared_ptr<Function>& Scan::function_for(const Job& job, ScanStage stage) {
  Key key = key_of(job.plan, job.binding.operands(), stage, job.device);
  if (const auto* found = table_.find(key)) return *found;
  return table_.insert(key, compile(job, stage));
}

std::shared_ptr<Function> Scan::compile(const Job& job, ScanStage stage) const {
  const ReductionText pieces_text = text_for(job.binding);
  const auto operands = job.binding.operands();
  try {
    Source source{text_.name,
                  scan_source(pieces_text, job.plan, operands, names_, job.binding.letters()),
                  compiler_options_};
    source.time_limit = time_limit_;
    source.types = describe_types(operands, names_, input_count());
    return cached_module(job.device, source)->function(text_.name + suffix(stage));
  } catch (const CompileError& error) {
    const std::string identity = text_.identity.value_or("");
    const UserPiece pieces[] = {{"options", &text_.defines},
                                {"preamble", &text_.preamble},
                                {"reduce_type", &pieces_text.reduce_type},
                                {"map", &text_.map},
                                {"reduce", &text_.reduce},
                                {"post", &text_.post},
                                {"identity", &identity}};
    fail_explained(error, headline(job), pieces);
  }
}

// What the passes before the last one move is not what the label counts.
LaunchLabel Scan::label(const Job& job, ScanStage stage) const {
  LaunchLabel label = label_of(text_.name, job.binding.operands(), names_, input_count());
  if (stage != ScanStage::scan) label.read = label.written = std::nullopt;
  return label;
}

std::string Scan::headline(const Job& job) const {
  return formatted("kernel \"{}\" ({}) does not compile on {}", text_.name,
                   describe_types(job.binding.operands(), names_, input_count()),
                   job.device.facts().name);
}

}  // namespace gpuarr
