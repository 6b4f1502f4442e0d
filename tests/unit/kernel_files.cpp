// Each kernel file of the rooms whose algorithms stand before a user's text compiles on its own,
// for GPUs with NVRTC, and for the CPU with g++ and clang++ and all warnings. A file that has no
// line here fails the test.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "check.hpp"
#include "codegen/targets.hpp"
#include "prelude_build.hpp"
#ifdef GPUARR_HAS_CUDA
#include "cuda/compile/compiler.hpp"
#endif

using namespace gpuarr;

namespace {

namespace fs = std::filesystem;

struct KernelFile {
  const char* path;  // below src/codegen
  const char* devices;
  std::vector<const char*> after;  // files that it stands behind
};

const std::vector<KernelFile>& files() {
  static const std::vector<KernelFile> all = {
      {"layout/divisor", "cuda", {}},
      {"layout/index", "cuda host", {}},
      {"layout/packs", "cuda", {}},
      {"layout/ragged", "cuda", {}},
      {"layout/spans", "cuda", {"layout/packs"}},
      {"elementwise/elements", "cuda", {"layout/packs", "layout/index"}},
      {"elementwise/rows", "cuda", {"layout/packs", "layout/index", "layout/ragged"}},
      {"elementwise/tiles", "cuda", {"layout/packs", "layout/index"}},
      {"elementwise/host_rows", "host", {}},
      {"elementwise/host_tiles", "host", {"layout/index"}},
      {"reduction/gather", "cuda host", {}},
      {"reduction/cuda/join", "cuda", {"layout/packs"}},
      {"reduction/cuda/splits", "cuda", {"layout/packs", "reduction/cuda/join"}},
      {"reduction/cuda/rows", "cuda", {"layout/packs", "reduction/cuda/join"}},
      {"reduction/cuda/ordered", "cuda", {"layout/packs", "reduction/cuda/join"}},
      {"reduction/cuda/warps", "cuda", {"layout/packs", "reduction/cuda/join"}},
      {"reduction/cuda/blocks",
       "cuda",
       {"layout/packs", "layout/divisor", "reduction/cuda/join", "reduction/cuda/splits"}},
      {"reduction/cuda/columns",
       "cuda",
       {"layout/packs", "layout/divisor", "reduction/cuda/join", "reduction/cuda/splits"}},
      {"reduction/host/tasks", "host", {}},
      {"reduction/host/rows", "host", {"reduction/host/tasks"}},
      {"reduction/host/columns", "host", {"reduction/host/tasks"}},
      {"scan/lanes", "cuda", {}},
      {"scan/packs", "cuda", {"layout/packs", "scan/lanes"}},
      {"scan/rows", "cuda", {"layout/packs", "scan/lanes", "scan/packs"}},
      {"scan/chain", "cuda", {"scan/lanes"}},
      {"scan/ahead", "cuda", {}},
      {"scan/tiles",
       "cuda",
       {"layout/packs", "scan/lanes", "scan/packs", "scan/chain", "scan/ahead"}},
      {"scan/staged", "cuda", {"layout/packs", "scan/lanes", "scan/chain", "scan/ahead"}},
      {"scan/columns", "cuda", {}},
      {"scan/host", "host", {}},
      {"scan/host_rows", "host", {"scan/host"}},
      {"scan/host_columns", "host", {"scan/host"}},
  };
  return all;
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(fs::path(GPUARR_CODEGEN) / (path + ".cuh")).rdbuf();
  CHECK(!text.str().empty());
  return text.str();
}

// What is generated, as far as a template needs it before it is instantiated.
const char* const stand_in = "typedef float _type_reduce;\n";

std::string behind(const KernelFile& file) {
  std::string text = stand_in;
  for (const char* before : file.after) text += read(before);
  return text;
}

#ifdef GPUARR_HAS_CUDA
void compile_for_gpu(const KernelFile& file) {
  static cuda::Compiler compiler(90, 13);
  std::string source = cuda_target.prelude({}) + behind(file) + "#line 1 \"" + file.path + "\"\n" +
                       read(file.path) + "extern \"C\" __global__ void kernel() {}\n";
  try {
    compiler.compile({"kernel", source, {}});
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__) << file.path << ": " << e.what() << '\n';
  }
}
#else
void compile_for_gpu(const KernelFile&) {}
#endif

// What stands before the file is a system header, whose warnings count for nothing.
void compile_for_cpu(const KernelFile& file, const fs::path& folder) {
  write_file(folder / "before.hpp",
             "#pragma GCC system_header\n" + host_target.prelude({}) + behind(file));
  write_file(folder / "file.cpp", "#include \"before.hpp\"\n" + read(file.path));
  prelude_test::for_each_compiler([&](const std::string& compiler) {
    const std::string command = compiler +
                                " -std=c++17 -Wall -Wextra -Werror -Wno-unused-function "
                                "-Wno-unknown-pragmas "
                                "-fsyntax-only " +
                                (folder / "file.cpp").string();
    if (std::system(command.c_str()) != 0)
      check::report(__FILE__, __LINE__) << file.path << " with " << compiler << '\n';
  });
}

void every_file_has_a_line() {
  for (const char* room : {"layout", "elementwise", "reduction", "scan"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPUARR_CODEGEN) / room)) {
      if (entry.path().extension() != ".cuh") continue;
      const std::string path =
          fs::relative(entry.path(), GPUARR_CODEGEN).replace_extension().string();
      if (std::ranges::find(files(), path, &KernelFile::path) == files().end())
        check::report(__FILE__, __LINE__) << path << ".cuh has no line in this test\n";
    }
}

}  // namespace

int main() {
  every_file_has_a_line();
  TemporaryDirectory folder;
  for (const KernelFile& file : files()) {
    const std::string devices = file.devices;
    if (devices.find("cuda") != std::string::npos) compile_for_gpu(file);
    if (devices.find("host") != std::string::npos) compile_for_cpu(file, folder / "");
  }
  return check::result();
}
