#include "cli/source/editor.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"
#include "cli/source/kernel_file.hpp"
#include "cli_source_text.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark = "# Made by `gpuarr embed --editor`.\n";

std::string settings(const std::string& folder) {
  return std::string(mark) +
         "If:\n  PathMatch: .*\\.cuh?\nCompileFlags:\n  Add: [-xc++, -std=c++20, " +
         "-Wno-unknown-attributes, -include, " + in_quotes(folder + "/editor.h") + ", " +
         in_quotes("-I" + folder) + "]\n  Remove: [-x*, --cuda*]\n";
}

bool is_ours(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return !file || (std::getline(file, line) && line + "\n" == mark);
}

}  // namespace

void write_editor_files(const std::string& folder) {
  std::error_code error;
  const fs::path top = fs::canonical(folder, error);
  if (error) throw Failure("cannot find the folder " + in_quotes(folder) + ": " + error.message());
  const fs::path own = top / ".gpuarr", file = top / ".clangd";
  const std::string text = settings(own.string());
  if (!is_ours(file))
    throw Failure("there is a " + in_quotes(file.string()) +
                  " of your own; add this to it, behind a line of ---\n" + text);
  fs::create_directories(own, error);
  write_text((own / "editor.h").string(), std::string(source_parts::editor_header));
  write_text((own / "gpuarr.cuh").string(), "// editor.h has it.\n#pragma once\n");
  write_text(file.string(), text);
}

}  // namespace cli
