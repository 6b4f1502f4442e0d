#include "host/compiler.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>

#include "core/process.hpp"
#include "core/scratch.hpp"
#include "host/diagnostics.hpp"
#include "host/toolchain.hpp"

namespace gpuarr::host {
namespace {

std::vector<std::string> command(const Toolchain& toolchain, const Source& source,
                                 const std::string& output) {
  std::vector<std::string> out = {toolchain.path};
  out.insert(out.end(), toolchain.flags.begin(), toolchain.flags.end());
  out.insert(out.end(), source.options.begin(), source.options.end());
  // The libraries by name, since -nostdlib leaves them out and saves most of the linker's time.
  out.insert(out.end(), {"-o", output, "-", "-lm", "-lc", "-lgcc"});
  return out;
}

std::string read_file(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? file.read_all() : "";
}

void erase_all(std::string& text, const std::string& part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

[[noreturn]] void fail_to_compile(const Toolchain& toolchain, const Outcome& outcome) {
  auto diagnostics = parse_diagnostics(outcome.log);
  std::string log = outcome.log;
  const bool exited = outcome.status && WIFEXITED(*outcome.status);
  if (diagnostics.empty() || !exited)
    log = text("{} ended with {}{}{}", toolchain.path, outcome.how(),
               log.empty() ? " and said nothing" : ":\n", log);
  throw CompileError(std::move(log), std::move(diagnostics));
}

}  // namespace

std::string compile_source(const Source& source) {
  const Toolchain toolchain = find_toolchain();
  std::string tried;
  for (const std::string& parent : scratch_parents()) {
    const ScratchDirectory scratch(parent);
    if (!scratch) {
      tried += text("; {}: {}", parent, errno_text(errno));
      continue;
    }
    const std::string output = scratch.path() + "/kernel.so";
    Outcome outcome = run_program(command(toolchain, source, output), source.text, scratch.path());
    std::string image = read_file(output);
    if (!image.empty() && (!outcome.status || outcome.exited_well())) return image;
    erase_all(outcome.log, scratch.path() + "/");
    if (outcome.log.find("No space left on device") == std::string::npos)
      fail_to_compile(toolchain, outcome);
    tried += text("; {}: No space left on device", parent);
  }
  fail(GPUARR_ERR_IO, "no directory for the compiler's temporary files{}; set $TMPDIR to one",
       tried);
}

}  // namespace gpuarr::host
