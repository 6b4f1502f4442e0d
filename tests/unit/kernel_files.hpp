// For the tests that compile each kernel file on its own: the tables of tests/kernel_files, which
// say what it stands behind. README.md there has their form.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "codegen/prelude/prelude.hpp"
#include "temporary_directory.hpp"

namespace kernel_files {

namespace fs = std::filesystem;

/// What a file is compiled between.
struct Around {
  std::string before, after;
};

struct Row {
  std::string name;  // a file below src, without .cuh; or ":name"
  std::vector<std::string> where, behind, text;
  std::string place;  // in the tables: "sort.txt:31"

  bool has(std::string_view word) const { return std::ranges::find(where, word) != where.end(); }
  bool is_file() const { return !name.starts_with(':'); }
};

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

inline fs::path path_of(const std::string& name) {
  return fs::path(GPUARR_SOURCES) / (name + ".cuh");
}

inline std::string file(const std::string& name) {
  const std::string text = read_file(path_of(name).string());
  if (text.empty()) check::report(__FILE__, __LINE__) << "no file src/" << name << ".cuh\n";
  return text;
}

class Table {
 public:
  Table() {
    for (const auto& entry : fs::directory_iterator(GPUARR_KERNEL_FILES))
      if (entry.path().extension() == ".txt") read(entry.path());
  }

  /// Those of files.
  std::vector<Row> files() const {
    std::vector<Row> out;
    std::ranges::copy_if(rows_, std::back_inserter(out), &Row::is_file);
    return out;
  }

  Around around(const Row& row) const {
    const std::string mark = "\n...\n";
    const std::string whole = "\n" + text_of(row);
    const size_t at = whole.find(mark);
    if (at == std::string::npos) return {whole, ""};
    return {whole.substr(0, at + 1), whole.substr(at + mark.size())};
  }

 private:
  void read(const fs::path& path) {
    std::ifstream in(path);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.starts_with("    ") && !rows_.empty())
        rows_.back().text.push_back(line.substr(4));
      else if (!line.empty() && line[0] != '#')
        add(line, path.filename().string() + ":" + std::to_string(number));
    }
  }

  void add(const std::string& line, const std::string& place) {
    std::istringstream in(line);
    std::string name, where, behind;
    std::getline(in, name, '|');
    std::getline(in, where, '|');
    std::getline(in, behind);
    rows_.push_back({words_of(name).at(0), words_of(where), words_of(behind), {}, place});
  }

  std::string text_of(const Row& row) const {
    std::string out;
    for (const std::string& name : row.behind) out += part(name);
    for (const std::string& line : row.text)
      out += line.starts_with("... ") ? part(line.substr(4)) : line + "\n";
    return out;
  }

  std::string part(const std::string& name) const {
    if (!name.starts_with(':')) return file(name) + "\n";
    const auto row = std::ranges::find(rows_, name, &Row::name);
    if (row != rows_.end()) return text_of(*row);
    check::report(__FILE__, __LINE__) << "tests/kernel_files has no " << name << '\n';
    return "";
  }

  std::vector<Row> rows_;
};

/// What the prelude of a generated kernel needs of all its text.
inline gpuarr::PreludeNeeds needs_of(const Row& row, const Around& around) {
  const gpuarr::UserText text = around.before + file(row.name) + around.after;
  const gpuarr::UserText* const texts[] = {&text};
  return gpuarr::needs_of({}, texts);
}

}  // namespace kernel_files
