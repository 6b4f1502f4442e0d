#include "host/compile/listing.hpp"

#include <fcntl.h>

#include <optional>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "core/scratch.hpp"
#include "host/compile/steps.hpp"
#include "host/compile/toolchain.hpp"

namespace gpuarr::host {
namespace {

std::string disassemble(const std::string& objdump, const std::string& file,
                        const std::string& directory) {
  // Without what the linker adds to every file.
  Outcome outcome = run_program(
      {objdump, "--disassemble", "--demangle", "--no-show-raw-insn", "-j", ".text", file}, "",
      directory);
  if (outcome.status && !outcome.exited_well())
    fail(GPUARR_ERR_IO, "{} ended with {}: {}", objdump, outcome.how(), outcome.log);
  erase_all(outcome.log, directory + "/");
  return outcome.log;
}

}  // namespace

std::string list_image(Listing listing, const std::string& image) {
  if (listing == Listing::ptx)
    fail(GPUARR_ERR_UNSUPPORTED, "the CPU device has no PTX; ask for GPUARR_LISTING_ASSEMBLY");
  const std::string path = program_path();
  const auto objdump = find_program("objdump", path);
  if (!objdump)
    fail(GPUARR_ERR_NO_LIBRARY, "there is no objdump in PATH ({}); install binutils", path);
  return in_scratch([&](const std::string& directory) -> std::optional<std::string> {
    const std::string name = directory + "/module.so";
    File file(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file || !file.write(image)) return std::nullopt;
    return disassemble(*objdump, name, directory);
  });
}

}  // namespace gpuarr::host
