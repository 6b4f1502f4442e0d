#include "host/compile/source_lines.hpp"

#include <fcntl.h>

#include <algorithm>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "core/scratch.hpp"
#include "core/text.hpp"
#include "host/compile/toolchain.hpp"

namespace gpuarr::host {
namespace {

constexpr const char* unknown = "an unknown line";

// Of text that stands around the user's, and what has no name.
bool is_ours(std::string_view file) {
  return file.starts_with("gpuarr/") || file.starts_with("??") || file.starts_with("<");
}

std::string asked(const std::string& program, const std::string& module,
                  const std::vector<uintptr_t>& addresses, const std::string& directory) {
  std::vector<std::string> command = {program, "-a", "-i", "-e", module};
  for (const uintptr_t address : addresses) command.push_back(formatted("{:#x}", address - 1));
  return run_program(command, "", directory).log;
}

}  // namespace

std::string innermost_line(std::string_view chain) {
  while (!chain.empty()) {
    std::string_view line = chain.substr(0, chain.find('\n'));
    chain.remove_prefix(std::min(chain.size(), line.size() + 1));
    line = line.substr(0, line.find(" (discriminator"));
    while (line.starts_with("./")) line.remove_prefix(2);
    const size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || is_ours(line)) continue;
    const std::string_view number = line.substr(colon + 1);
    if (!number.empty() && number[0] >= '1' && number[0] <= '9') return std::string(line);
  }
  return unknown;
}

std::vector<std::string> source_lines(const std::string& image,
                                      const std::vector<uintptr_t>& addresses) {
  std::vector<std::string> out(addresses.size(), unknown);
  const auto program = find_program("addr2line", program_path());
  if (!program) return out;
  for (const std::string& parent : scratch_parents()) {
    const ScratchDirectory scratch(parent);
    const std::string path = scratch.path() + "/module";
    File file(scratch ? open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1);
    if (!file || !file.write(image)) continue;
    std::string log;
    try {
      log = asked(*program, path, addresses, scratch.path());
    } catch (const Error&) {
      return out;  // what is told matters more than its line
    }
    size_t at = log.find("0x");
    for (size_t k = 0; k < out.size() && at != std::string::npos; ++k) {
      const size_t next = log.find("\n0x", at);
      out[k] = innermost_line(std::string_view(log).substr(at, next - at));
      at = next == std::string::npos ? next : next + 1;
    }
    return out;
  }
  return out;
}

}  // namespace gpuarr::host
