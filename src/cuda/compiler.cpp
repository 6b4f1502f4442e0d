// Compiling with NVRTC.
#include "cuda/compiler.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "cuda/diagnostics.hpp"
#include "cuda/locate.hpp"
#include "cuda/stack.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

// Part of every image's identity: to be raised when the options below change.
constexpr int options_version = 1;

class Program {
 public:
  Program(const Nvrtc& nvrtc, const Source& source) : nvrtc_(nvrtc) {
    nvrtc_.create_program(&program_, source.text.c_str(), source.name.c_str(), 0, nullptr, nullptr);
  }
  ~Program() { nvrtc_.destroy_program.unchecked(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const Strings& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile_program.unchecked(program_, static_cast<int>(pointers.size()),
                                            pointers.data());
  }

  std::string log() const { return read(nvrtc_.get_log_size, nvrtc_.get_log, 1); }

  std::string image() const {
    std::string cubin = read(nvrtc_.get_cubin_size, nvrtc_.get_cubin, 0);
    return !cubin.empty() ? cubin : read(nvrtc_.get_ptx_size, nvrtc_.get_ptx, 1);
  }

 private:
  // Texts come with a NUL, which is counted and is none of theirs.
  template <class Size, class Get>
  std::string read(const Size& get_size, const Get& get, size_t terminator) const {
    size_t size = 0;
    get_size(program_, &size);
    std::string result(size, '\0');
    if (size != 0) get(program_, result.data());
    result.resize(size - std::min(size, terminator));
    return result;
  }

  const Nvrtc& nvrtc_;
  nvrtcProgram program_ = nullptr;
};

bool has_include(const std::string& text) {
  for (size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    size_t word = text.find_first_not_of(" \t", at + 1);
    if (word != std::string::npos && text.compare(word, 7, "include") == 0) return true;
  }
  return false;
}

// Whether the user gave an option himself, in one of the spellings that NVRTC takes.
bool is_given(const Strings& options, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(options, [&](std::string_view option) {
    size_t dashes = option.find_first_not_of('-');
    if (dashes == 0 || dashes == std::string_view::npos) return false;
    std::string_view word = option.substr(dashes, option.find_first_of("= ") - dashes);
    return std::ranges::find(names, word) != names.end();
  });
}

// Nothing here changes arithmetic. --modify-stack-limit=false: NVRTC would else lift the stack
// limit of the whole process while it compiles.
Strings all_options(const Nvrtc& nvrtc, const Source& source, const std::string& architecture) {
  Strings options = {"--modify-stack-limit=false", "--device-as-default-execution-space"};
  if (nvrtc.major >= 13) options.emplace_back("--frandom-seed=gpuarr");  // the same bytes each time
  if (!is_given(source.options, {"arch", "gpu-architecture"}))
    options.push_back("--gpu-architecture=" + architecture);
  if (!is_given(source.options, {"std"})) options.emplace_back("--std=c++17");
  options.insert(options.end(), source.options.begin(), source.options.end());
  if (has_include(source.text))
    for (const std::string& directory : find_headers(nvrtc.library.path))
      options.push_back("--include-path=" + directory);
  return options;
}

[[noreturn]] void fail_compile(const Nvrtc& nvrtc, nvrtcResult result, std::string log) {
  if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    throw Error(GPUARR_ERR_NO_LIBRARY,
                text("{} does not find its libnvrtc-builtins.so.{}.{}, which belongs beside it: {}",
                     nvrtc.library.path, nvrtc.major, nvrtc.minor, log),
                result);
  if (log.empty()) nvrtc.fail("nvrtcCompileProgram", result);
  auto diagnostics = parse_log(log);
  throw CompileError(std::move(log), std::move(diagnostics), result);
}

std::string compile_here(const Nvrtc& nvrtc, const Source& source, Strings options) {
  // --minimal leaves textures and types of the runtime out, and saves a tenth of the time. Text
  // that fails for want of them is tried again with all there is.
  if (nvrtc.major >= 13 && !has_include(source.text)) {
    options.emplace_back("--minimal");
    Program program(nvrtc, source);
    if (program.compile(options) == NVRTC_SUCCESS) return program.image();
    options.pop_back();
  }
  Program program(nvrtc, source);
  nvrtcResult result = program.compile(options);
  if (result != NVRTC_SUCCESS) fail_compile(nvrtc, result, program.log());
  return program.image();
}

}  // namespace

const std::string& Compiler::file() {
  return file_.get([&] { return std::make_unique<std::string>(find_nvrtc(newest_nvrtc_)); });
}

const Nvrtc& Compiler::nvrtc() {
  return nvrtc_.get([&] { return std::make_unique<Nvrtc>(file()); });
}

std::string Compiler::description() {
  return text("NVRTC {}.{} ({})", nvrtc().major, nvrtc().minor, nvrtc().library.path);
}

std::string Compiler::identity() {
  std::error_code error;
  std::string real = std::filesystem::canonical(file(), error).string();
  struct stat info {};
  if (error || stat(real.c_str(), &info) != 0)
    fail(GPUARR_ERR_NO_LIBRARY, "{} is gone; install NVRTC again, or set $GPUARR_NVRTC", file());
  return text("nvrtc {} {} {}.{:09}, cc {}, options {}", real, info.st_size, info.st_mtim.tv_sec,
              info.st_mtim.tv_nsec, compute_capability_, options_version);
}

std::string Compiler::architecture() {
  const std::vector<int>& known = nvrtc().targets;
  auto above = std::ranges::upper_bound(known, compute_capability_);
  if (above == known.begin())
    fail(GPUARR_ERR_UNSUPPORTED,
         "{} does not compile for this GPU (sm_{}); set $GPUARR_NVRTC to one that does",
         description(), compute_capability_);
  int best = *std::prev(above);
  return text("{}_{}", best == compute_capability_ ? "sm" : "compute", best);
}

std::string Compiler::compile(const Source& source) {
  const Nvrtc& nvrtc = this->nvrtc();
  Strings options = all_options(nvrtc, source, architecture());
  std::string image;
  on_large_stack([&] { image = compile_here(nvrtc, source, options); });
  return image;
}

}  // namespace gpuarr::cuda
