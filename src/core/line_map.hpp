// Where the lines of preprocessed text came from.
#pragma once

#include <string>
#include <vector>

#include "core/tokens.hpp"

namespace gpuarr {

struct TextPlace {
  std::string file;
  int line = 0;
  bool is_system = false;  // in a header of the compiler's own
};

/// A #line, in lines of its own: what stands behind it is of that place.
std::string line_mark(const TextPlace& place);

/// Reads the marks that a preprocessor leaves (`# 12 "file" 1 3`), and #line.
class LineMap {
 public:
  explicit LineMap(const std::vector<Token>& tokens);

  TextPlace place(int line) const;  // of the text, from 1
  bool is_system(int line) const { return mark(line).place.is_system; }

  struct Mark {
    int from = 1;  // the text's line that has `place`
    TextPlace place;
  };
  /// The text's beginning, which has no file, and those that were read, in order.
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  const Mark& mark(int line) const;

  std::vector<Mark> marks_;
};

}  // namespace gpuarr
