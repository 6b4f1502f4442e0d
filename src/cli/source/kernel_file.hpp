// A kernel file, and the files that it includes, as one text.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cli {

struct KernelFile {
  std::string name;                // without folders
  std::string text;                // begins with a #line
  std::vector<std::string> files;  // all that were read, this one first
};

/// `folders` are looked through for what is not beside the including file.
KernelFile read_kernel_file(const std::string& path, std::span<const std::string> folders);

/// A whole file; throws a Failure that names it.
std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace cli
