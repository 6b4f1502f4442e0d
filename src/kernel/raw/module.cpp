#include "kernel/raw/module.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "backends.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/line_name.hpp"
#include "core/text_limits.hpp"
#include "core/tokens.hpp"
#include "device/image_kind.hpp"
#include "kernel/cache/includes.hpp"
#include "kernel/raw/source.hpp"
#include "kernel/text/closed_text.hpp"
#include "kernel/text/diagnose.hpp"
#include "kernel/text/parameter_type.hpp"

namespace gpuarr {
namespace {

// "scale<float>", but not "over(pair<float>*)".
bool is_instance(const std::string& kernel) {
  const size_t at = kernel.find_first_of("<(");
  return at != std::string::npos && kernel[at] == '<';
}

// "ns::scale<float>" is scale, and "over(float*)", which one of several is called, is over.
std::string plain_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find_first_of("<("));
  if (size_t colons = kernel.rfind("::"); colons != std::string_view::npos)
    kernel.remove_prefix(colons + 2);
  while (kernel.ends_with(' ')) kernel.remove_suffix(1);
  return std::string(kernel);
}

// The one that means the same, "k<float,4>" for "k<float, 4>"; null if there is none.
const std::string* find_instance(const std::vector<std::string>& instances,
                                 const std::string& kernel) {
  const std::string wanted = squeezed(kernel);
  const auto found = std::ranges::find_if(
      instances, [&](const std::string& one) { return squeezed(one) == wanted; });
  return found == instances.end() ? nullptr : &*found;
}

bool has_directive(const std::vector<Token>& tokens) {
  return std::ranges::any_of(tokens,
                             [](const Token& t) { return t.kind == Token::Kind::directive; });
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += formatted("{}\"{}\"", out.empty() ? "" : ", ", name);
  return out.empty() ? "none" : out;
}

// Options that have no meaning here would be left out in silence.
void check_options(const KernelOptions& options) {
  const char* wrong = !options.loop_prep.empty()     ? "loop_prep"
                      : !options.after_loop.empty()  ? "after_loop"
                      : !options.reduce_type.empty() ? "reduce_type"
                      : !options.commutative         ? "commutative"
                                                     : nullptr;
  if (wrong != nullptr)
    fail(GPUARR_ERR_ARGUMENT, "options has {}, which a module cannot use; leave it out", wrong);
}

// In the text, or in files of the user's that it includes.
bool may_have_variables(const RawSource& source) {
  if (has_variables(source.text)) return true;
  const IncludedFiles included = included_files(source);
  return !included.complete || std::ranges::any_of(included.files, [](const IncludedFile& file) {
    return has_variables(file.content);
  });
}

std::string read_file(const char* path) {
  return about(path, [&] {
    InputFile file(path);
    std::string bytes(static_cast<size_t>(file.size()), '\0');
    file.read(bytes.data(), file.size());
    return bytes;
  });
}

}  // namespace

std::shared_ptr<UserModule> UserModule::from_source(std::string text, std::string file,
                                                    std::string directory,
                                                    const KernelOptions& options) {
  check_options(options);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    fail(GPUARR_ERR_ARGUMENT, "{} is empty; give CUDA C++ with a kernel", file);
  std::shared_ptr<UserModule> out(new UserModule);
  out->name_ = options.name.empty() ? "module" : options.name;
  out->preamble_ = options.preamble.text();
  out->file_ = first_file(text);
  if (out->file_.empty()) out->file_ = std::move(file);
  out->text_ = std::move(text);
  out->directory_ = std::move(directory);
  out->options_ = options.compiler;
  out->checks_ = options.checks | checks_of_environment();
  out->time_limit_ = options.time_limit;
  out->instances_ = options.instances;
  return out;
}

std::shared_ptr<UserModule> UserModule::from_image(std::string image, int checks) {
  refuse_if_closed("compiled code");
  if (std::string fault = image_fault(image); !fault.empty())
    fail(GPUARR_ERR_FORMAT, "{}; give PTX, a cubin or a fatbin, whole", fault);
  std::shared_ptr<UserModule> out(new UserModule);
  out->checks_ = checks | checks_of_environment();
  out->image_ = std::move(image);
  return out;
}

std::shared_ptr<UserModule> UserModule::from_file(const char* path, const KernelOptions& options) {
  refuse_if_closed("a file");
  std::string bytes = read_file(path);
  const ImageKind kind = image_kind(bytes);
  if (kind == ImageKind::unknown)
    fail(GPUARR_ERR_FORMAT, "{}: it is neither CUDA C++ nor PTX, a cubin or a fatbin", path);
  if (kind != ImageKind::text) {
    if (std::string fault = image_fault(bytes); !fault.empty())
      fail(GPUARR_ERR_FORMAT, "{}: {}; give it whole", path, fault);
    check_options(options);
    if (!options.compiler.empty() || !options.instances.empty() || !options.preamble.empty())
      fail(GPUARR_ERR_ARGUMENT,
           "options has what is for text, but {} is compiled already; leave out all but checks and "
           "a name",
           path);
    return from_image(std::move(bytes), options.checks);
  }
  bytes.erase(0, bytes.size() - without_mark(bytes).size());
  check_source(bytes, path);
  const std::string_view whole = path;
  const size_t slash = whole.rfind('/');
  const bool here = slash == std::string_view::npos;
  return from_source(std::move(bytes), std::string(here ? whole : whole.substr(slash + 1)),
                     here ? "." : std::string(whole.substr(0, slash + 1)), options);
}

// What macros and includes may bring is the compiler's to say.
void UserModule::ask_for(const std::string& kernel) {
  if (text_.empty()) return;
  const auto tokens = tokenize(text_);
  const std::string name = plain_name(kernel);
  const bool known = has_directive(tokens) || !preamble_.empty() || name.starts_with("_Z") ||
                     std::ranges::any_of(tokens, [&](const Token& t) { return t.is(name); });
  if (!known)
    fail(GPUARR_ERR_NOT_FOUND, "there is no kernel \"{}\" in the text; its kernels are {}", kernel,
         quoted_list(kernels_of(text_)));
  if (!is_instance(kernel)) return;
  std::lock_guard lock(mutex_);
  if (find_instance(instances_, kernel) == nullptr) instances_.push_back(kernel);
}

std::string UserModule::whole_text() const {
  if (preamble_.empty()) return text_;
  return formatted("#line 1 \"preamble\"\n{}\n#line 1 {}\n{}", preamble_, line_name(file_), text_);
}

RawSource UserModule::raw_source(const Target& target, std::vector<std::string> instances) const {
  RawSource source = gpuarr::raw_source(target, whole_text(), options_, checks_);
  source.name = name_;
  source.types = file_;
  source.file = file_;
  source.directory = directory_;
  source.instances = std::move(instances);
  source.time_limit = time_limit_;
  return source;
}

void UserModule::fail_compile(const CompileError& error, const std::string& where) const {
  const UserPiece pieces[] = {{file_.c_str(), text_}, {"preamble", preamble_}};
  fail_explained(error, formatted("\"{}\" does not compile {}", file_, where), pieces);
}

void UserModule::check(const std::string& architecture) const {
  if (text_.empty())
    fail(GPUARR_ERR_ARGUMENT, "the module is compiled code; only text can be checked");
  const Architecture found = architecture_of(architecture);
  try {
    found.compile_raw(architecture, raw_source(found.target, instances_));
  } catch (const CompileError& error) {
    fail_compile(error, "for " + architecture);
  }
}

std::unique_ptr<UserModule::Build> UserModule::compile(Device& device,
                                                       std::vector<std::string> instances) const {
  auto build = std::make_unique<Build>();
  if (text_.empty()) {
    build->code = {std::make_shared<const std::string>(image_), device.load_raw(image_)};
  } else {
    build->source = raw_source(target_of(device), std::move(instances));
    try {
      build->code = cached_raw(device, build->source);
    } catch (const CompileError& error) {
      fail_compile(error, "on " + device.facts().name);
    }
  }
  build->kernels = build->code.module->kernels();
  return build;
}

// Of two threads that meet here, one module is dropped: the compiler runs once, see cached_raw().
UserModule::Build& UserModule::first_build(Device& device) {
  std::vector<std::string> instances;
  {
    std::lock_guard lock(mutex_);
    if (Builds& builds = builds_[&device]; !builds.empty()) return *builds.front();
    instances = instances_;
  }
  auto made = compile(device, std::move(instances));
  std::lock_guard lock(mutex_);
  Builds& builds = builds_[&device];
  if (builds.empty()) builds.push_back(std::move(made));
  return *builds.front();
}

// A template's instance that was asked for after the first build needs one of its own.
UserModule::Build& UserModule::build_of(Device& device, const std::string& kernel) {
  Build& first = first_build(device);
  if (text_.empty() || !is_instance(kernel)) return first;
  {
    std::lock_guard lock(mutex_);
    for (const auto& build : builds_[&device])
      if (find_instance(build->source.instances, kernel) != nullptr) return *build;
  }
  if (may_have_variables(first.source)) fail_late(kernel);
  auto made = compile(device, {kernel});
  std::lock_guard lock(mutex_);
  return *builds_[&device].emplace_back(std::move(made));
}

void UserModule::fail_late(const std::string& instance) const {
  fail(GPUARR_ERR_NOT_FOUND,
       "\"{}\" was not asked for before the module's first use, and the module may have variables, "
       "of which a second compilation would have others; get the kernel before, or name it with "
       "gpuarr_kernel_options_add_kernel",
       instance);
}

void UserModule::build(Device& device) { first_build(device); }

std::shared_ptr<RawFunction> UserModule::function(Device& device, const std::string& name) {
  const Build& build = build_of(device, name);
  const std::string* asked = find_instance(build.source.instances, name);
  return build.code.module->function(asked != nullptr ? *asked : name);
}

const std::vector<std::string>& UserModule::kernels(Device& device) {
  return first_build(device).kernels;
}

Array UserModule::global(Device& device, const std::string& name, std::optional<DType> dtype) {
  const RawGlobal found = first_build(device).code.module->global(name);
  const std::string type = found.type.empty() ? variable_type(whole_text(), name) : found.type;
  if (!dtype) dtype = element_dtype(type);
  if (!dtype)
    fail(GPUARR_ERR_DTYPE, "the elements of \"{}\" ({} bytes) are of {}; give their dtype", name,
         found.bytes, type.empty() ? "a type that is not known" : "type " + type);
  if (found.bytes % size_of(*dtype) != 0)
    fail(GPUARR_ERR_DTYPE, "\"{}\" has {} bytes, no multiple of the {} of a {}", name, found.bytes,
         size_of(*dtype), gpuarr::name(*dtype));
  const int alignment = facts_of(*dtype).alignment;
  if (reinterpret_cast<uintptr_t>(found.address) % static_cast<uintptr_t>(alignment) != 0)
    fail(GPUARR_ERR_DTYPE,
         "\"{}\" does not lie at a multiple of {} bytes, as a {} has to; declare it __align__({})",
         name, alignment, gpuarr::name(*dtype), alignment);
  Array out;
  out.dtype = *dtype;
  out.layout.shape = {found.bytes / size_of(*dtype)};
  out.layout.strides = {1};
  out.data = found.bytes > 0 ? found.address : nullptr;
  out.buffer = Buffer::borrow(out.data, found.bytes, device, shared_from_this());
  return out;
}

std::string UserModule::listing(Device& device, Listing listing) {
  const Build& build = first_build(device);
  return device.list(listing, text_.empty() ? nullptr : &build.source, *build.code.image);
}

}  // namespace gpuarr
