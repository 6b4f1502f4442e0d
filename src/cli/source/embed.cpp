// gpuarr embed: kernel files become a header of the program.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/text.hpp"
#include "cli/source/editor.hpp"
#include "cli/source/header.hpp"

namespace cli {
namespace {

// For make and ninja: the header, and the files that it was made of.
std::string dependencies(const std::string& header, std::span<const KernelFile> files) {
  const auto escaped = [](const std::string& path) {
    std::string out;
    for (const char c : path) {
      if (c == ' ' || c == '#') out += '\\';
      if (c == '$') out += '$';
      out += c;
    }
    return out;
  };
  std::string out = escaped(header) + ":";
  for (const KernelFile& file : files)
    for (const std::string& path : file.files) out += " \\\n  " + escaped(path);
  return out + "\n";
}

void check_names(std::span<const KernelFile> files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    const std::string name = variable_name(file->name);
    if (std::any_of(files.begin(), file,
                    [&](const auto& f) { return variable_name(f.name) == name; }))
      throw UsageError("two files would be " + name + " in the header; embed them in two headers");
  }
}

void embed(const CommandLine& line) {
  const auto header = line.value("-o");
  if (!header) throw UsageError("embed needs -o HEADER.h");
  std::vector<KernelFile> files;
  const std::vector<std::string> folders = line.list("-I");
  for (const std::string& path : line.positionals())
    files.push_back(read_kernel_file(path, folders));
  check_names(files);
  write_text(*header, header_text(files, std::filesystem::path(*header).filename().string()));
  if (const auto path = line.value("--depfile"))
    write_text(*path, dependencies(line.value("--depfile-target").value_or(*header), files));
}

}  // namespace

void run_embed(std::span<const std::string> words) {
  const OptionRule rules[] = {{"-o", Takes::value},
                              {"-I", Takes::attached},
                              {"--depfile", Takes::value},
                              {"--depfile-target", Takes::value},
                              {"--editor"}};
  const CommandLine line(words, rules);
  if (line.has("--editor")) {
    if (line.positionals().size() > 1 || line.has("-o"))
      throw UsageError("--editor takes a folder and nothing else");
    return write_editor_files(line.positionals().empty() ? "." : line.positionals()[0]);
  }
  if (line.positionals().empty()) throw UsageError("embed needs kernel files, such as heat.cu");
  embed(line);
}

}  // namespace cli
