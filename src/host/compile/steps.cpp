#include "host/compile/steps.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "core/process.hpp"
#include "core/scratch.hpp"
#include "device/compile.hpp"
#include "host/compile/dependencies.hpp"
#include "host/compile/diagnostics.hpp"

namespace gpuarr::host {
namespace {

std::vector<std::string> command(const Toolchain& toolchain,
                                 const std::vector<std::string>& options,
                                 const std::string& output) {
  std::vector<std::string> out = {toolchain.path};
  out.insert(out.end(), toolchain.flags.begin(), toolchain.flags.end());
  out.insert(out.end(), options.begin(), options.end());
  // The libraries by name, since -nostdlib leaves them out and saves most of the linker's time.
  out.insert(out.end(), {"-o", output, "-", "-lm", "-lc", "-lgcc"});
  return out;
}

std::string read_file(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? file.read_all() : "";
}

// What includes and the assembler's own directives bring in, which no scan of the text sees whole.
std::vector<std::string> telling_options(const std::string& directory) {
  return {"-MD",  "-MF",         directory + "/read",     "-Xassembler",
          "--MD", "-Xassembler", directory + "/assembled"};
}

void note_reads(const Toolchain& toolchain, const std::string& directory,
                std::vector<std::string>& reads) {
  for (const char* rule : {"/read", "/assembled"})
    for (std::string& file :
         files_of_user(parse_dependencies(read_file(directory + rule)), toolchain.path, directory))
      reads.push_back(std::move(file));
}

// Compilers start others. That one of them does not start is no fault of the text.
void check_shortage(const Toolchain& toolchain, std::string_view log) {
  for (const char* words : {"cannot execute", "unable to execute"}) {
    const size_t at = log.find(words);
    if (at == std::string_view::npos) continue;
    const std::string_view line = log.substr(at, log.find('\n', at) - at);
    const std::string helpers = "programs that " + toolchain.path + " starts";
    if (line.ends_with("Resource temporarily unavailable")) fail_to_start(helpers, EAGAIN);
    if (line.ends_with("Cannot allocate memory")) fail_to_start(helpers, ENOMEM);
  }
}

[[noreturn]] void fail_to_compile(const Toolchain& toolchain, const Outcome& outcome) {
  auto diagnostics = parse_diagnostics(outcome.log);
  std::string log = outcome.log;
  const bool exited = outcome.status && WIFEXITED(*outcome.status);
  if (diagnostics.empty() || !exited)
    log = formatted("{} ended with {}{}{}", toolchain.path, outcome.how(),
                    log.empty() ? " and said nothing" : ":\n", log);
  throw CompileError(std::move(log), std::move(diagnostics));
}

// The compiler, its assembler or its linker was refused what the process itself would be.
void check_file_sizes(const Outcome& outcome) {
  const bool killed =
      outcome.status && WIFSIGNALED(*outcome.status) && WTERMSIG(*outcome.status) == SIGXFSZ;
  if (!killed && outcome.log.find("File size limit exceeded") == std::string::npos &&
      outcome.log.find("File too large") == std::string::npos)
    return;
  rlimit largest{};
  getrlimit(RLIMIT_FSIZE, &largest);
  fail(GPUARR_ERR_IO,
       "the compiler's files are larger than this process may write, {} bytes; raise that limit "
       "(ulimit -f, RLIMIT_FSIZE)",
       largest.rlim_cur);
}

}  // namespace

std::string in_scratch(const std::function<std::optional<std::string>(const std::string&)>& work) {
  std::string tried;
  for (const std::string& parent : scratch_parents()) {
    const ScratchDirectory scratch(parent);
    if (!scratch) {
      tried += formatted("; {}: {}", parent, errno_text(errno));
      continue;
    }
    if (auto image = work(scratch.path())) return std::move(*image);
    tried += formatted("; {}: No space left on device", parent);
  }
  fail(GPUARR_ERR_IO, "no directory for the compiler's temporary files{}; set $TMPDIR to one",
       tried);
}

std::optional<std::string> run_compiler(const Toolchain& toolchain,
                                        const std::vector<std::string>& options,
                                        const std::string& input, const std::string& directory,
                                        std::vector<std::string>* reads) {
  const std::string output = directory + "/output";
  std::vector<std::string> all = options;
  if (reads != nullptr)
    for (std::string& option : telling_options(directory)) all.push_back(std::move(option));
  Outcome outcome = run_program(command(toolchain, all, output), input, directory);
  std::string product = read_file(output);
  if (!product.empty() && (!outcome.status || outcome.exited_well())) {
    if (reads != nullptr) note_reads(toolchain, directory, *reads);
    return product;
  }
  erase_all(outcome.log, directory + "/");
  if (outcome.log.find("No space left on device") != std::string::npos) return std::nullopt;
  check_file_sizes(outcome);
  check_shortage(toolchain, outcome.log);
  fail_to_compile(toolchain, outcome);
}

void erase_all(std::string& text, const std::string& part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

}  // namespace gpuarr::host
