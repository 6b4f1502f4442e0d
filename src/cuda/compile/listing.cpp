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

template <class Body>
std::string in_scratch(Body&& body) {
  for (const std::string& parent : scratch_parents())
    if (const ScratchDirectory scratch(parent); scratch) return body(scratch.path());
  int code = errno;
  throw Error(GPUARR_ERR_IO,
              formatted("no temporary directory can be made for a listing: {}; set $TMPDIR",
                        errno_text(code)),
              code);
}

void write_file(const std::string& path, const std::string& bytes) {
  File file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file || !file.write(bytes)) {
    int code = errno;
    throw Error(GPUARR_ERR_IO, formatted("{} cannot be written: {}", path, errno_text(code)), code);
  }
}

std::string run(const Strings& command, const std::string& temporary) {
  Outcome outcome = run_program(command, "", temporary);
  if (!outcome.exited_well())
    fail(GPUARR_ERR_LOAD, "{} ended with {}: {}", command[0], outcome.how(), outcome.log);
  return std::move(outcome.log);
}

std::string read_cubin(Compiler& compiler, const std::string& cubin, const std::string& scratch) {
  return run({find_program("nvdisasm", nvrtc_file(compiler)), "--print-code", cubin}, scratch);
}

std::string read_fatbin(Compiler& compiler, const char* part, const std::string& code) {
  return in_scratch([&](const std::string& scratch) {
    std::string file = scratch + "/module.fatbin";
    write_file(file, code);
    return run({find_program("cuobjdump", nvrtc_file(compiler)), part, file}, scratch);
  });
}

std::string disassemble_cubin(Compiler& compiler, const std::string& code) {
  return in_scratch([&](const std::string& scratch) {
    std::string file = scratch + "/module.cubin";
    write_file(file, code);
    return read_cubin(compiler, file, scratch);
  });
}

// The driver would assemble it likewise when it is loaded.
std::string disassemble_ptx(Compiler& compiler, const std::string& code) {
  return in_scratch([&](const std::string& scratch) {
    std::string file = scratch + "/module.ptx";
    std::string cubin = scratch + "/module.cubin";
    write_file(file, code);
    run({find_program("ptxas", nvrtc_file(compiler)),
         formatted("-arch=sm_{}", compiler.compute_capability()), file, "-o", cubin},
        scratch);
    return read_cubin(compiler, cubin, scratch);
  });
}

std::string disassemble(Compiler& compiler, const std::string& code) {
  switch (image_kind(code)) {
    case ImageKind::fatbin:
      return read_fatbin(compiler, "-sass", code);
    case ImageKind::ptx:
      return disassemble_ptx(compiler, code);
    default:
      return disassemble_cubin(compiler, code);
  }
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
