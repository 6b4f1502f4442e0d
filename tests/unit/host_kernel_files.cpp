// Each kernel file that is for the CPU compiles on its own, with g++ and clang++ and all warnings.
// The rows of tests/kernel_files say what it stands behind; a file without one fails the test.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"
#include "codegen/raw/raw.hpp"
#include "codegen/targets.hpp"
#include "kernel_files.hpp"
#include "prelude_build.hpp"

using namespace gpuarr;
using kernel_files::Around;
using kernel_files::Row;
namespace fs = std::filesystem;

namespace {

constexpr const char* options =
    " -std=c++17 -Wall -Wextra -Werror -Wno-unused-function -Wno-unknown-pragmas -fsyntax-only";

std::string begin_of(const Row& row, const Around& around) {
  if (row.has("alone")) return "";
  if (row.has("raw")) return host_environment(around.before).prelude;
  return host_target.prelude(kernel_files::needs_of(row, around));
}

void write_headers(const fs::path& folder) {
  for (const RawHeader& header : host_environment("").headers) {
    fs::create_directories((folder / header.name).parent_path());
    write_file(folder / header.name, header.text);
  }
}

// What stands around the file is of system headers, whose warnings count for nothing.
void compile(const Row& row, const Around& around, const fs::path& folder,
             const std::string& more) {
  const std::string system = "#pragma GCC system_header\n";
  write_file(folder / "before.hpp", system + begin_of(row, around) + around.before);
  write_file(folder / "after.hpp", system + around.after);
  write_file(folder / "file.cpp",
             "#include \"before.hpp\"\n#include <" + row.name + ".cuh>\n#include \"after.hpp\"\n");
  prelude_test::for_each_compiler([&](const std::string& compiler) {
    if (row.has("g++") && compiler != "g++") return;
    std::string command = compiler + options + more + " -I '" GPUARR_SOURCES "'";
    if (row.has("raw")) command += " -isystem " + (folder / "headers").string();
    command += " " + (folder / "file.cpp").string();
    if (std::system(command.c_str()) != 0)
      check::report(__FILE__, __LINE__)
          << row.place << ": " << row.name << ".cuh with " << compiler << more << '\n';
  });
}

void every_file_has_a_row(const std::vector<Row>& rows) {
  for (const auto& entry : fs::recursive_directory_iterator(GPUARR_SOURCES)) {
    if (entry.path().extension() != ".cuh") continue;
    const std::string name =
        fs::relative(entry.path(), GPUARR_SOURCES).replace_extension().string();
    if (std::ranges::find(rows, name, &Row::name) == rows.end())
      check::report(__FILE__, __LINE__) << name << ".cuh has no row in tests/kernel_files\n";
  }
}

// A word that nobody knows would leave the file out.
void rows_say_where(const std::vector<Row>& rows) {
  const std::vector<std::string> known = {"cuda", "host", "avx512", "g++", "alone", "raw", "cub"};
  for (const Row& row : rows) {
    const bool all_known = std::ranges::all_of(
        row.where, [&](auto& word) { return std::ranges::find(known, word) != known.end(); });
    if (!all_known || (!row.has("cuda") && !row.has("host") && !row.has("avx512")))
      check::report(__FILE__, __LINE__) << row.place << ": no device, or an unknown word\n";
  }
}

}  // namespace

int main() {
  const kernel_files::Table table;
  every_file_has_a_row(table.files());
  rows_say_where(table.files());
  TemporaryDirectory folder;
  write_headers(folder.path() / "headers");
  for (const Row& row : table.files()) {
    const Around around = table.around(row);
    if (row.has("host")) compile(row, around, folder.path(), "");
#ifdef __x86_64__
    if (row.has("avx512")) compile(row, around, folder.path(), " -march=x86-64-v4");
#endif
  }
  return check::result();
}
