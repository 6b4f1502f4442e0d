#include "kernel/generated.hpp"

#include <algorithm>
#include <atomic>

#include "backends.hpp"
#include "codegen/layout/fields.hpp"
#include "core/error.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/raw/source.hpp"

namespace gpuarr {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

int64_t distinct_elements(const Layout& layout) {
  int64_t elements = 1;
  for (int axis = 0; axis < layout.shape.size(); ++axis)
    if (layout.strides[axis] != 0) elements *= layout.shape[axis];
  return elements;
}

Generated::Generated(const std::string& in_params, const std::string& out_params,
                     const KernelOptions& given, const char* kind)
    : id(next_id()),
      signature(parse_signature(in_params, out_params)),
      name(given.name.empty() ? kind : given.name),
      options(given.compiler),
      parts(given.parts),
      contract(given.contract),
      checks(given.checks),
      time_limit(given.time_limit) {
  defines = take_defines(options);
  for (const auto* list : {&signature.inputs, &signature.outputs})
    for (const Parameter& p : *list) {
      if (p.letter != 0 && std::ranges::find(letters, p.letter, &Letter::letter) == letters.end())
        letters.push_back({p.letter, static_cast<int>(names.size())});
      names.push_back({p.name});
    }
}

std::shared_ptr<Function> Generated::compile(const Binding& binding, Device& device,
                                             const std::string& text, const std::string& symbol,
                                             std::span<const UserPiece> pieces) const {
  try {
    Source source{name, text, options};
    if (!contract) source.options.emplace_back(target_of(device).no_contraction);
    source.time_limit = time_limit;
    source.types = types(binding);
    return cached_module(device, source)->function(symbol);
  } catch (const CompileError& error) {
    fail_compile(error, binding, device, pieces);
  }
}

std::shared_ptr<RawFunction> Generated::compile_raw(const Binding& binding, Device& device,
                                                    const std::string& text,
                                                    const std::string& symbol,
                                                    std::span<const UserPiece> pieces) const {
  try {
    RawSource source = raw_source(target_of(device), text, options, checks);
    source.name = name;
    if (!contract) source.options.emplace_back(target_of(device).no_contraction);
    source.time_limit = time_limit;
    source.types = types(binding);
    return cached_raw(device, source).module->function(symbol);
  } catch (const CompileError& error) {
    fail_compile(error, binding, device, pieces);
  }
}

void Generated::fail_compile(const CompileError& error, const Binding& binding,
                             const Device& device, std::span<const UserPiece> pieces) const {
  std::vector<UserPiece> all(pieces.begin(), pieces.end());
  for (const UserPart& part : parts) all.emplace_back(part.name.c_str(), part.text.text());
  fail_explained(error,
                 formatted("kernel \"{}\" ({}) does not compile on {}", name, types(binding),
                           device.facts().name),
                 all);
}

std::string Generated::types(const Binding& binding) const {
  std::string out;
  for (size_t k = 0; k < names.size(); ++k) {
    out += k == signature.inputs.size() ? " -> " : k > 0 ? ", " : "";
    out += formatted("{} {}", gpuarr::name(binding.operands()[k].dtype), names[k].name);
  }
  return out;
}

LaunchLabel Generated::label(const Binding& binding) const {
  LaunchLabel label{name, types(binding), 0, 0};
  for (const Operand& operand : binding.operands()) {
    if (is_raw(operand.role)) label.read = label.written = std::nullopt;
    if (!in_loop(operand.role) || operand.layout == nullptr) continue;  // a stage without outputs
    auto& bytes = operand.role == Role::input ? label.read : label.written;
    if (bytes) *bytes += distinct_elements(*operand.layout) * size_of(operand.dtype);
  }
  return label;
}

CallFacts Generated::facts_of(const Binding& binding) const {
  CallFacts out{{}, binding.out_shape()};
  for (const Operand& operand : binding.operands()) out.dtypes.push_back(operand.dtype);
  return out;
}

size_t checked_parameter_bytes(size_t bytes) {
  if (bytes > most_parameter_bytes)
    fail(GPUARR_ERR_UNSUPPORTED,
         "the arguments' shapes and strides take {} bytes, more than the {} that a kernel can get; "
         "use fewer arrays of many axes",
         bytes, most_parameter_bytes);
  return bytes;
}

}  // namespace gpuarr
