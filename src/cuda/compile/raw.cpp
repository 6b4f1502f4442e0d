// Compiling a user's own CUDA C++ with NVRTC.

#include <algorithm>

#include "core/line_name.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/compile/image.hpp"
#include "cuda/compile/options.hpp"
#include "cuda/compile/program.hpp"
#include "cuda/compile/stack.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

std::string joined_targets(const std::vector<int>& targets) {
  std::string out;
  for (const int target : targets) out += formatted("{}sm_{}", out.empty() ? "" : ", ", target);
  return out;
}

// What NVRTC says of an instance is about a line of its own making:
//
//   __nv_name_map(2): error: identifier "flot" is undefined
//     #pragma nv_mangled_name scale<flot>
//
// and then once more that it could not read the expression.
std::string explain_instances(std::string_view log) {
  constexpr std::string_view place = "__nv_name_map(";
  constexpr std::string_view pragma = "\n  #pragma nv_mangled_name ";
  std::string result;
  for (size_t at = log.find(place); at != std::string_view::npos; at = log.find(place, at + 1)) {
    size_t end = log.find('\n', at);
    size_t message = log.find("error: ", at);
    if (end == std::string_view::npos || message > end || !log.substr(end).starts_with(pragma))
      continue;
    std::string_view reason = log.substr(message + 7, end - message - 7);
    std::string_view name = log.substr(end + pragma.size());
    name = name.substr(0, name.find('\n'));
    if (!reason.starts_with("Error in parsing name expression"))
      result += formatted("there is no kernel \"{}\": {}\n", name, reason);
  }
  return result;
}

[[noreturn]] void fail_raw(const Nvrtc& nvrtc, nvrtcResult result, const std::string& log) {
  try {
    fail_compile(nvrtc, result, log);
  } catch (const CompileError& e) {
    throw CompileError(explain_instances(log) + log, e.diagnostics(), result);
  }
}

Instance find_instance(const Program& program, const std::string& expression) {
  try {
    return {expression, program.symbol(expression)};
  } catch (const Error& e) {
    throw CompileError(formatted("there is no kernel \"{}\": {}", expression, e.what()), {},
                       e.native());
  }
}

// What the options leave is no code that can be loaded: -dlto makes neither cubin nor PTX.
std::string loadable(std::string code, const char* form) {
  if (code.empty())
    fail(GPUARR_ERR_UNSUPPORTED, "with these options NVRTC produces no {}; leave out -dlto", form);
  return code;
}

template <class Read>
std::string compile_here(const Nvrtc& nvrtc, const RawSource& source,
                         const std::string& architecture, const Read& read) {
  const Strings options = options_for(nvrtc, source, architecture, source.directory);
  const std::string whole =
      formatted("{}\n#line 1 {}\n{}", source.prelude, line_name(source.file), source.text);
  std::string made;
  on_large_stack([&] {
    Program program(nvrtc, whole, source.file, source);
    for (const std::string& expression : source.instances) program.add_instance(expression);
    const nvrtcResult result = program.compile(options);
    if (result != NVRTC_SUCCESS) fail_raw(nvrtc, result, program.log());
    made = read(program);
  });
  return made;
}

}  // namespace

std::string Compiler::compile_raw(const RawSource& source) {
  return compile_here(nvrtc(), source, architecture(), [&](const Program& program) {
    Image image{{}, loadable(program.image(), "cubin and no PTX")};
    for (const std::string& expression : source.instances)
      image.instances.push_back(find_instance(program, expression));
    return pack(image);
  });
}

std::string Compiler::compile_raw_exactly(const RawSource& source) {
  const std::vector<int>& known = nvrtc().targets;
  if (std::ranges::find(known, compute_capability_) == known.end())
    fail(GPUARR_ERR_UNSUPPORTED, "{} does not compile for sm_{}; it does for {}", description(),
         compute_capability_, joined_targets(known));
  return compile_raw(source);
}

std::string Compiler::raw_ptx(const RawSource& source) {
  return compile_here(nvrtc(), source, architecture(),
                      [](const Program& program) { return loadable(program.ptx(), "PTX"); });
}

}  // namespace gpuarr::cuda
