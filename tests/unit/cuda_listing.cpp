// Tests of cuda/compile/listing.hpp: PTX and SASS, with stand-ins for the toolkit's programs where
// these have to be asked.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "check.hpp"
#include "cuda/compile/image.hpp"
#include "cuda/compile/listing.hpp"
#include "cuda/driver/locate.hpp"
#include "temporary_directory.hpp"

using namespace gpuarr;
using cuda::Compiler;
using cuda::list_code;

namespace {

const std::string ptx = ".version 8.3\n.target sm_80\n.entry k() {}\n";

void put_program(const TemporaryDirectory& root, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(root / "bin");
  std::ofstream(root / ("bin/" + name)) << "#!/bin/sh\n" << text << '\n';
  chmod((root / ("bin/" + name)).c_str(), 0700);
}

std::string fatbin_of(const std::string& inner) {
  uint64_t bytes = inner.size();
  std::string image("P\355U\272\1\0\20\0", 8);
  return image + std::string(reinterpret_cast<const char*>(&bytes), 8) + inner;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void shows_ptx(Compiler& compiler, const TemporaryDirectory& root) {
  CHECK_EQ(list_code(compiler, Listing::ptx, nullptr, ptx), ptx);
  CHECK_EQ(list_code(compiler, Listing::ptx, nullptr, cuda::pack({{{"k", "k"}}, ptx})), ptx);
  put_program(root, "cuobjdump", "echo \"$1\"; tail -c +17 \"$2\"");
  CHECK_EQ(list_code(compiler, Listing::ptx, nullptr, fatbin_of(ptx)), "-ptx\n" + ptx);
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "the fatbin has no PTX in it",
              [&] { list_code(compiler, Listing::ptx, nullptr, fatbin_of("only code")); });
  CHECK_FAILS(GPUARR_ERR_LOAD, "are text, but no PTX",
              [&] { list_code(compiler, Listing::ptx, nullptr, "int x;"); });
}

void shows_sass(Compiler& compiler, const TemporaryDirectory& root) {
  put_program(root, "cuobjdump", "echo \"$1\"; tail -c +17 \"$2\"");
  put_program(root, "nvdisasm", "echo \"$1\"; cat \"$2\"");
  put_program(root, "ptxas", "echo \"$1 $3\" > \"$4\"; cat \"$2\" >> \"$4\"");
  CHECK_EQ(list_code(compiler, Listing::assembly, nullptr, fatbin_of("code")), "-sass\ncode");
  std::string text = list_code(compiler, Listing::assembly, nullptr, ptx);
  CHECK_EQ(text, "--print-code\n-arch=sm_90 -o\n" + ptx);
  put_program(root, "ptxas", "echo no such thing; exit 3");
  CHECK_FAILS(GPUARR_ERR_LOAD, "ptxas ended with exit status 3: no such thing",
              [&] { list_code(compiler, Listing::assembly, nullptr, ptx); });
}

void shows_what_was_compiled(Compiler& compiler, const TemporaryDirectory& root) {
  RawSource source;
  source.text = "template <class T> __global__ void k(T* x) { *x = 3; }";
  source.instances = {"k<float>"};
  std::string image = compiler.compile_raw(source);
  std::string text = list_code(compiler, Listing::ptx, &source, image);
  CHECK(has(text, ".entry _Z1kIfEvPT_(") && has(text, ".target sm_90"));
  source.options = {"-arch=compute_80"};
  CHECK(has(list_code(compiler, Listing::ptx, &source, compiler.compile_raw(source)), "sm_80"));
  CHECK_FAILS(GPUARR_ERR_UNSUPPORTED, "a cubin has no PTX in it",
              [&] { list_code(compiler, Listing::ptx, nullptr, image); });
  put_program(root, "nvdisasm", "head -c 4 \"$2\"; ls -l \"$2\"");
  text = list_code(compiler, Listing::assembly, nullptr, image);
  CHECK(text.starts_with("\177ELF-rw-------"));
}

// With the programs of a real toolkit, if there are any.
void shows_real_sass(Compiler& compiler) {
  RawSource source;
  source.text = "extern \"C\" __global__ void k(float* x) { *x = x[1] * x[2]; }";
  try {
    std::string text =
        list_code(compiler, Listing::assembly, nullptr, compiler.compile_raw(source));
    CHECK(has(text, "FMUL"));
  } catch (const Error& e) {
    CHECK_EQ(e.status(), GPUARR_ERR_NO_LIBRARY);
    CHECK(has(e.what(),
              "nvdisasm of the CUDA toolkit was not found; install it, or set $CUDA_PATH; "
              "looked in "));
    CHECK(has(e.what(), "/usr/local/cuda/bin"));
  }
}

}  // namespace

int main() {
  Compiler compiler(90, 13);
  bool has_nvrtc = true;
  try {
    compiler.description();
  } catch (const Error& e) {
    std::cerr << "NVRTC is not there: " << e.what() << '\n';
    has_nvrtc = false;
  }
  if (has_nvrtc) shows_real_sass(compiler);
  TemporaryDirectory root;
  setenv("CUDA_PATH", root.path().c_str(), 1);
  shows_ptx(compiler, root);
  shows_sass(compiler, root);
  if (has_nvrtc) shows_what_was_compiled(compiler, root);
  return check::result();
}
