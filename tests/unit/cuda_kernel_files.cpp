// Each kernel file that is for GPUs compiles on its own, with NVRTC. The rows of
// tests/kernel_files say what it stands behind.
#include <string>
#include <utility>

#include "check.hpp"
#include "codegen/raw/raw.hpp"
#include "codegen/sort/cub/cub.hpp"
#include "codegen/targets.hpp"
#include "cuda/compile/compiler.hpp"
#include "kernel_files.hpp"

using namespace gpuarr;
using kernel_files::Around;
using kernel_files::Row;

namespace {

// What stands first, and the headers that may be included.
Source begin_of(const Row& row, const Around& around) {
  Source source{"kernel", "", {}};
  if (row.has("cub")) {
    source.text = cub_prelude();
    source.options = cub_options();
    source.embedded = cub_headers();
  } else if (row.has("raw")) {
    RawEnvironment environment = cuda_environment(around.before);
    source.text = std::move(environment.prelude);
    for (RawHeader& header : environment.headers)
      source.headers.push_back({std::move(header.name), std::move(header.text)});
  } else if (!row.has("alone")) {
    source.text = cuda_target.prelude(kernel_files::needs_of(row, around));
  }
  return source;
}

void compile(const Row& row, const Around& around) {
  static cuda::Compiler compiler(90, 13);
  Source source = begin_of(row, around);
  source.text += around.before + "#line 1 \"" + row.name + ".cuh\"\n" +
                 kernel_files::file(row.name) + "#line 1 \"behind\"\n" + around.after +
                 "extern \"C\" __global__ void kernel() {}\n";
  try {
    compiler.compile(source);
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__)
        << row.place << ": " << row.name << ".cuh: " << e.what() << '\n';
  }
}

}  // namespace

int main() {
  const kernel_files::Table table;
  for (const Row& row : table.files()) {
    if (!row.has("cuda") || (row.has("cub") && cub_headers().empty())) continue;
    compile(row, table.around(row));
  }
  return check::result();
}
