// Listing compiled modules, by NVRTC and the programs of the CUDA toolkit.
#include "cuda/compile/listing.hpp"

#include <fcntl.h>

#include <cerrno>

#include "core/process.hpp"
#include "core/scratch.hpp"
#include "cuda/compile/image.hpp"
#include "cuda/driver/locate.hpp"
#include "device/image_kind.hpp"

namespace gpuarr::cuda {
namespace {

using Strings = std::vector<std::string>;

// Where NVRTC is, the rest of the toolkit may be too; without it there are other places.
std::string nvrtc_file(Compiler& compiler) {
  try {
    return compiler.file();
  } catch (const Error&) {
    return "";
  }
}

// Calls body with a scratch directory, and with a file of the code in it.
template <class Body>
std::string in_scratch(const std::string& name, const std::string& code, const Body& body) {
  for (const std::string& parent : scratch_parents())
    if (const ScratchDirectory scratch(parent); scratch) {
      const std::string path = scratch.path() + name;
      File file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (file && file.write(code)) return body(scratch.path(), path);
      const int error = errno;
      throw Error(GPUARR_ERR_IO, formatted("{} cannot be written: {}", path, errno_text(error)),
                  error);
    }
  const int error = errno;
  throw Error(GPUARR_ERR_IO,
              formatted("no temporary directory can be made for a listing: {}; set $TMPDIR",
                        errno_text(error)),
              error);
}

std::string run(const Strings& command, const std::string& temporary) {
  Outcome outcome = run_program(command, "", temporary);
  if (!outcome.exited_well())
    fail(GPUARR_ERR_LOAD, "{} ended with {}: {}", command[0], outcome.how(), outcome.log);
  return std::move(outcome.log);
}

std::string read_fatbin(Compiler& compiler, const char* part, const std::string& code) {
  return in_scratch("/module.fatbin", code, [&](const auto& scratch, const auto& file) {
    return run({find_program("cuobjdump", nvrtc_file(compiler)), part, file}, scratch);
  });
}

// PTX the driver would assemble likewise when it is loaded.
std::string disassemble(Compiler& compiler, const std::string& code) {
  const ImageKind kind = image_kind(code);
  if (kind == ImageKind::fatbin) return read_fatbin(compiler, "-sass", code);
  const char* name = kind == ImageKind::ptx ? "/module.ptx" : "/module.cubin";
  return in_scratch(name, code, [&](const auto& scratch, const auto& file) {
    const std::string cubin = scratch + "/module.cubin";
    if (kind == ImageKind::ptx)
      run({find_program("ptxas", nvrtc_file(compiler)),
           formatted("-arch=sm_{}", compiler.compute_capability()), file, "-o", cubin},
          scratch);
    return run({find_program("nvdisasm", nvrtc_file(compiler)), "--print-code", cubin}, scratch);
  });
}

std::string extract_ptx(Compiler& compiler, const std::string& fatbin) {
  std::string ptx = read_fatbin(compiler, "-ptx", fatbin);
  if (ptx.find(".version") == std::string::npos)
    fail(GPUARR_ERR_UNSUPPORTED, "the fatbin has no PTX in it, only code for single GPUs");
  return ptx;
}

}  // namespace

std::string list_code(Compiler& compiler, Listing listing, const RawSource* source,
                      const std::string& image) {
  std::string code = unpack(image).code;
  if (std::string fault = image_fault(code); !fault.empty()) fail(GPUARR_ERR_LOAD, "{}", fault);
  if (listing == Listing::assembly) return disassemble(compiler, code);
  if (image_kind(code) == ImageKind::ptx) return code;
  if (source != nullptr) return compiler.raw_ptx(*source);
  if (image_kind(code) == ImageKind::fatbin) return extract_ptx(compiler, code);
  fail(GPUARR_ERR_UNSUPPORTED,
       "a cubin has no PTX in it; make the module from its text, from PTX or from a fatbin");
}

}  // namespace gpuarr::cuda
