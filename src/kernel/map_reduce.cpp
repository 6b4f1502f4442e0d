#include "kernel/map_reduce.hpp"

#include "core/error.hpp"

namespace gpuarr {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

void check_expression(const char* argument, std::string_view text) {
  if (is_blank(text)) fail(GPUARR_ERR_ARGUMENT, "{} is \"{}\"; give an expression", argument, text);
}

// `value`: what post sees as a.
void check_outputs(const Signature& signature, const char* value) {
  if (signature.outputs.empty())
    fail(GPUARR_ERR_SYNTAX, "out_params is empty; name at least one output");
  for (size_t k = 0; k < signature.outputs.size(); ++k) {
    const std::string& name = signature.outputs[k].name;
    if (name == "a")
      fail(GPUARR_ERR_SYNTAX,
           "out_params has \"a\", which is the {} value in post; give the output another name",
           value);
    if (signature.starts_as[k] >= 0)
      fail(GPUARR_ERR_SYNTAX, "\"{}\" is in both lists; give the output a name of its own", name);
  }
}

}  // namespace

// An empty post leaves the value as it is.
ReductionText checked_texts(const MapReduceSpec& spec, const KernelOptions& options,
                            const Generated& generated, const Wording& wording) {
  check_outputs(generated.signature, wording.value);
  const auto& outputs = generated.signature.outputs;
  check_expression("map", spec.map);
  check_expression("reduce", spec.reduce);
  if (is_blank(spec.post) && outputs.size() > 1)
    fail(GPUARR_ERR_ARGUMENT, "post is \"{}\", which sets a single output, and there are {}",
         spec.post.text(), outputs.size());
  if (spec.identity) check_expression("identity", *spec.identity);
  if (!options.loop_prep.empty() || !options.after_loop.empty())
    fail(GPUARR_ERR_ARGUMENT, "options has a loop_prep or an after_loop; {} has no place for them",
         wording.kind);
  const UserText reduce_type =
      spec.folds.empty() ? UserText(options.reduce_type) : folds_type(spec.folds);
  return {generated.name, options.preamble,
          reduce_type,    spec.map,
          spec.reduce,    is_blank(spec.post) ? outputs[0].name + " = a" : spec.post,
          spec.identity,  generated.defines,
          spec.folds,     find_dtype(reduce_type)};
}

std::optional<DType> reduce_dtype(const ReductionText& text, const Generated& generated,
                                  const Binding& binding) {
  const std::string_view given = text.reduce_type;
  if (given.empty())
    return computed_in(binding.operands()[generated.signature.inputs.size()].dtype);
  for (auto [letter, operand] : generated.letters)
    if (given.size() == 1 && given[0] == letter) return binding.operands()[as_index(operand)].dtype;
  return text.reduce_dtype;
}

ReductionText typed(const ReductionText& text, const Generated& generated, const Binding& binding) {
  ReductionText out = text;
  if (out.reduce_type.empty())
    out.reduce_type = facts_of(*reduce_dtype(text, generated, binding)).cxx;
  return out;
}

std::shared_ptr<Function> compile(const ReductionText& typed, const Generated& generated,
                                  const Binding& binding, Device& device, const std::string& source,
                                  const char* suffix) {
  const UserPiece pieces[] = {{"options", typed.defines},
                              {"preamble", typed.preamble},
                              {"reduce_type", typed.reduce_type},
                              {"map", typed.map},
                              {"reduce", typed.reduce},
                              {"post", typed.post},
                              {"identity", typed.identity.value_or("")}};
  return generated.compile(binding, device, source, typed.name + suffix, pieces);
}

}  // namespace gpuarr
