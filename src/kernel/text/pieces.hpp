// A user's text by the files that its lines came from, as #line tells them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuarr {

/// A piece of the user's text, by the name that it has in messages.
using UserPiece = std::pair<const char*, std::string_view>;

/// Lines that follow each other, of a text whose own #line may say that they are of a file.
struct NamedLines {
  std::string file;
  int first = 1;          // the number of the first one
  std::string_view text;  // all of them
};

/// One for each #line with a number, and one for what stands before the first.
std::vector<NamedLines> named_lines(const UserPiece& piece);

/// Where the lines of a text that begins with a #line come from; "" if it does not name a file.
std::string first_file(std::string_view text);

int count_lines(std::string_view text);

}  // namespace gpuarr
