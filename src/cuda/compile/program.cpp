// One compilation by NVRTC.
#include "cuda/compile/program.hpp"

#include "core/watch.hpp"
#include "cuda/compile/diagnostics.hpp"

namespace gpuarr::cuda {

Program::Program(const Nvrtc& nvrtc, const std::string& text, const std::string& name,
                 const Source& source)
    : nvrtc_(nvrtc) {
  std::vector<const char*> texts;
  std::vector<const char*> names;
  for (const SourceHeader& header : source.headers) {
    texts.push_back(header.text.c_str());
    names.push_back(header.name.c_str());
  }
  for (const EmbeddedHeader& header : source.embedded) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  nvrtc_.create_program(&program_, text.c_str(), name.c_str(), static_cast<int>(texts.size()),
                        texts.data(), names.data());
}

void Program::add_instance(const std::string& expression) {
  nvrtc_.add_name_expression(program_, expression.c_str());
}

namespace {

// NVRTC asks it while it compiles, from threads of its own too; 1 is to give up.
int is_over(void* watch, void* /*reserved*/) { return static_cast<Watch*>(watch)->over() ? 1 : 0; }

}  // namespace

nvrtcResult Program::compile(const std::vector<std::string>& options) {
  Watch* watch = Watch::current();
  if (watch != nullptr) {
    watch->check("NVRTC");
    if (nvrtc_.set_flow_callback) nvrtc_.set_flow_callback(program_, is_over, watch);
  }
  std::vector<const char*> pointers;
  pointers.reserve(options.size());
  for (const std::string& option : options) pointers.push_back(option.c_str());
  const nvrtcResult result = nvrtc_.compile_program.unchecked(
      program_, static_cast<int>(pointers.size()), pointers.data());
  if (result != NVRTC_SUCCESS && watch != nullptr) watch->check("NVRTC");
  return result;
}

std::string Program::image() const {
  std::string image = cubin();
  return image.empty() ? ptx() : image;
}

std::string Program::symbol(const std::string& instance) const {
  const char* symbol = nullptr;
  nvrtc_.get_lowered_name(program_, instance.c_str(), &symbol);
  return symbol;
}

void fail_compile(const Nvrtc& nvrtc, nvrtcResult result, std::string log) {
  if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    throw Error(
        GPUARR_ERR_NO_LIBRARY,
        formatted("{} does not find its libnvrtc-builtins.so.{}.{}, which belongs beside it: {}",
                  nvrtc.library.path, nvrtc.major, nvrtc.minor, log),
        result);
  if (log.empty()) nvrtc.fail("nvrtcCompileProgram", result);
  auto diagnostics = parse_log(log);
  throw CompileError(std::move(log), std::move(diagnostics), result);
}

}  // namespace gpuarr::cuda
